import type { ServiceApp } from '@slipway/service-kit';
import type { FeedbackAccess } from '../access.ts';
import type { Profiles } from '../people/Profiles.ts';
import { senderOf } from '../people/senderOf.ts';
import { readMoment } from '../periods/readMoment.ts';
import { readScreenshot } from '../screenshots/Screenshot.ts';
import { boundBody, SCREENSHOT_BODY_LIMIT } from './boundBody.ts';
import type { FeedbackDesk } from './FeedbackDesk.ts';
import type { FeedbackStore } from './FeedbackStore.ts';
import { iso, presentFeedback, presentHistory } from './presentFeedback.ts';
import { presentPage } from './presentPage.ts';
import {
  FeedbackAnswer,
  FeedbackDetail,
  FeedbackId,
  FeedbackReceipt,
  FeedbackSubmission,
  OptionsAnswer,
  OwnListQuery,
  pageOf,
} from './schemas.ts';

/** Members of a submission, unknown ones included. */
const MOST_ELEMENTS = 1_000;

/** Takes feedback in, and shows senders and readers what became of it. */
export function feedbackRoutes(
  app: ServiceApp,
  options: {
    access: FeedbackAccess;
    desk: FeedbackDesk;
    store: FeedbackStore;
    profiles: Profiles;
    categories: readonly string[];
    /** Bytes, of bodies without a screenshot. */
    bodyLimit: number;
  },
): void {
  const { access, desk, store, profiles, bodyLimit } = options;

  app.post(
    '/api/v1/feedback',
    {
      config: {
        access: access.submit,
        // Whoever sends, a screenshot is one text; millions of elements are none.
        body: {
          untrusted: {
            unpacked: SCREENSHOT_BODY_LIMIT,
            elements: MOST_ELEMENTS,
          },
        },
      },
      ...boundBody(bodyLimit),
      schema: {
        tags: ['feedback'],
        summary: 'Send feedback',
        body: FeedbackSubmission,
        response: { 201: FeedbackReceipt },
      },
    },
    async (request, reply) => {
      if (request.body.user?.anonymous) {
        // The log of requests names callers: it would tell whose this is.
        request.caller = { kind: 'anonymous' };
      }
      const { rating, category, message, context = {}, ...rest } = request.body;
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
        ...(rest.screenshot && {
          screenshot: await readScreenshot(rest.screenshot),
        }),
      });
      reply.code(201).header('location', `/api/v1/feedback/${feedback.id}`);
      return {
        id: feedback.id,
        status: feedback.status,
        message: 'Your feedback is stored.',
        created_at: iso(feedback.createdAt),
      };
    },
  );

  app.get(
    '/api/v1/feedback/options',
    {
      config: { access: access.submit },
      schema: {
        tags: ['feedback'],
        summary: 'What feedback can be about, and whether the caller triages',
        response: { 200: OptionsAnswer },
      },
    },
    async ({ caller }) => ({
      categories: [...options.categories],
      may_triage: await access.isAdmin(caller),
    }),
  );

  app.get(
    '/api/v1/feedback/mine',
    {
      config: { access: access.session },
      schema: {
        tags: ['feedback'],
        summary: 'What the user of the session sent, newest first',
        querystring: OwnListQuery,
        response: { 200: pageOf(FeedbackAnswer) },
      },
    },
    async ({ caller, query }) => {
      const author = caller.kind === 'user' ? caller.id : '';
      const found = await store.list(
        { author },
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
        summary: 'Read a record; with its history for who triages',
        params: FeedbackId,
        response: { 200: FeedbackDetail },
      },
    },
    async ({ caller, params }) => {
      const feedback = await desk.read(params.id);
      await access.assertMayRead(caller, feedback);
      return {
        ...presentFeedback(feedback),
        ...((await access.isAdmin(caller)) && {
          history: presentHistory(await store.history(feedback.id)),
        }),
      };
    },
  );
}
