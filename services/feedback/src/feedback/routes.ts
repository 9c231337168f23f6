import { isoOf } from '@slipway/entity-contract';
import {
  ForbiddenError,
  PayloadTooLargeError,
  type ScopeReader,
  type ServiceApp,
} from '@slipway/service-kit';
import type { FeedbackAccess } from '../access.ts';
import { type Profiles, senderOf } from '../people/profiles.ts';
import { readMoment } from '../periods/TimeSpan.ts';
import type { ReplyDesk } from '../replies/ReplyDesk.ts';
import { readScreenshot } from '../screenshots/Screenshot.ts';
import type { FeedbackStore } from '../storage/FeedbackStore.ts';
import type {
  ScreenshotStore,
  ScreenshotUsage,
} from '../storage/ScreenshotStore.ts';
import type { FeedbackDesk } from './FeedbackDesk.ts';
import { FeedbackDetail, presentDetail } from './FeedbackDetail.ts';
import { aboutEntity, OwnListQuery, pageOf, presentPage } from './lists.ts';
import {
  FeedbackAnswer,
  FeedbackId,
  FeedbackReceipt,
  FeedbackSubmission,
  OptionsAnswer,
  presentFeedback,
} from './schemas.ts';

/** Maximum bytes of a body with a screenshot: 5 MiB in base64, plus the other fields. */
const SCREENSHOT_BODY_LIMIT = 10 * 1024 * 1024;

/** Share of the quota for screenshots from which admins see how much is used. */
const SHORT_FROM = 0.8;

/** Maximum members of a submission, including unknown ones. */
const MAX_ELEMENTS = 1_000;

/** Adds the routes that accept feedback, and show senders and readers its status. */
export function feedbackRoutes(
  app: ServiceApp,
  options: {
    access: FeedbackAccess;
    desk: FeedbackDesk;
    store: FeedbackStore;
    screenshots: ScreenshotStore;
    replies: ReplyDesk;
    profiles: Profiles;
    /** Finds the components of systems and groups. */
    scopeOf: ScopeReader;
    categories: readonly string[];
    /** Maximum bytes of a body without a screenshot. */
    bodyLimit: number;
  },
): void {
  const { access, desk, store, screenshots, replies, profiles } = options;
  const { scopeOf, bodyLimit } = options;

  app.post(
    '/api/v1/feedback',
    {
      config: {
        access: access.submit,
        // For all senders, because a screenshot is a single string, not millions of elements.
        body: {
          untrusted: {
            unpacked: SCREENSHOT_BODY_LIMIT,
            elements: MAX_ELEMENTS,
          },
        },
      },
      bodyLimit: Math.max(SCREENSHOT_BODY_LIMIT, bodyLimit),
      async preValidation({ body, receivedBytes }) {
        const { screenshot } = (body ?? {}) as { screenshot?: unknown };
        if (typeof screenshot !== 'string' && receivedBytes > bodyLimit) {
          throw new PayloadTooLargeError();
        }
      },
      schema: {
        tags: ['feedback'],
        summary: 'Send feedback',
        body: FeedbackSubmission,
        response: { 201: FeedbackReceipt },
      },
    },
    async (request, reply) => {
      if (request.body.user?.anonymous) {
        // Otherwise the request log would contain the caller and reveal the sender.
        request.caller = { kind: 'anonymous' };
      }
      const { rating, category, message, context = {}, ...rest } = request.body;
      const screenshot = rest.screenshot
        ? await readScreenshot(rest.screenshot)
        : undefined;
      const feedback = await desk.submit({
        rating,
        category,
        message,
        page: context.page,
        component: context.component,
        ...(context.timestamp !== undefined && {
          occurredAt: readMoment(context.timestamp, 'context.timestamp'),
        }),
        sender: await senderOf(request.caller, rest.user, profiles),
        source: 'api',
        screenshot,
      });
      const isDropped = screenshot && feedback.screenshotType === null;
      reply.code(201).header('location', `/api/v1/feedback/${feedback.id}`);
      return {
        id: feedback.id,
        status: feedback.status,
        message: isDropped
          ? 'Feedback received without its screenshot: no space is left for screenshots.'
          : 'Feedback received.',
        created_at: isoOf(feedback.createdAt),
        ...(isDropped && { screenshot_stored: false }),
      };
    },
  );

  app.get(
    '/api/v1/feedback/options',
    {
      config: { access: access.submit },
      schema: {
        tags: ['feedback'],
        summary:
          'Get the categories, whether the caller may triage, and whether space for screenshots is short',
        response: { 200: OptionsAnswer },
      },
    },
    async ({ caller }) => {
      const isAdmin = await access.isAdmin(caller);
      return {
        categories: [...options.categories],
        may_triage: isAdmin,
        ...(isAdmin && presentShortage(await screenshots.usage())),
      };
    },
  );

  app.get(
    '/api/v1/feedback/mine',
    {
      config: { access: access.session, faults: ['unavailable'] },
      schema: {
        tags: ['feedback'],
        summary: 'List the feedback of the signed-in user, newest first',
        querystring: OwnListQuery,
        response: { 200: pageOf(FeedbackAnswer) },
      },
    },
    async ({ caller, query }) => {
      const author = caller.kind === 'user' ? caller.id : '';
      const found = await store.list(
        { author, ...(await aboutEntity(query, { caller, scopeOf })) },
        { number: query.page, size: query.per_page },
      );
      return presentPage(found, query, presentFeedback);
    },
  );

  app.get(
    '/api/v1/feedback/:id',
    {
      config: { access: access.read },
      schema: {
        tags: ['feedback'],
        summary: 'Get a record with its replies and its history',
        params: FeedbackId,
        response: { 200: FeedbackDetail },
      },
    },
    async ({ caller, params }) => {
      const feedback = await desk.read(params.id);
      await access.assertMayRead(caller, feedback);
      const isAdmin = await access.isAdmin(caller);
      // The replies and the history are private, even if records are public.
      const isParty = (await access.readsTextOf(caller))(
        feedback.sender.author,
      );
      return presentDetail(feedback, {
        reader: caller.kind === 'user' ? { id: caller.id, isAdmin } : undefined,
        replies: isParty ? await replies.read(feedback, { isAdmin }) : [],
        history: isParty ? await store.history(feedback.id) : undefined,
        target:
          feedback.mergedInto === null
            ? undefined
            : await store.find(feedback.mergedInto),
      });
    },
  );

  app.delete(
    '/api/v1/feedback/:id',
    {
      config: { access: access.session, audited: true, faults: ['conflict'] },
      schema: {
        tags: ['feedback'],
        summary: 'Delete feedback',
        description:
          'Admins may delete any, senders their own until somebody acts on it.',
        params: FeedbackId,
        response: { 204: { type: 'null', description: 'Deleted' } },
      },
    },
    async ({ caller, params }, reply) => {
      const { id, sender } = await desk.read(params.id);
      if (!(await access.readsTextOf(caller))(sender.author)) {
        throw new ForbiddenError();
      }
      await desk.delete(id, { isAdmin: await access.isAdmin(caller) });
      return reply.code(204).send(null);
    },
  );
}

/** Presents the space that screenshots use; empty below {@link SHORT_FROM} of the quota. */
function presentShortage({ bytes, quotaBytes }: ScreenshotUsage) {
  return bytes < SHORT_FROM * quotaBytes
    ? {}
    : { screenshots: { bytes, quota_bytes: quotaBytes } };
}
