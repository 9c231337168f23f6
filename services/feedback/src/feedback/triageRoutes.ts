import { isoOf } from '@slipway/entity-contract';
import {
  actorOf,
  type ScopeReader,
  type ServiceApp,
} from '@slipway/service-kit';
import type { FeedbackAccess } from '../access.ts';
import { readSpan } from '../periods/TimeSpan.ts';
import type { FeedbackStore } from '../storage/FeedbackStore.ts';
import type { FeedbackDesk } from './FeedbackDesk.ts';
import {
  aboutEntity,
  FeedbackListQuery,
  orderOf,
  pageOf,
  presentPage,
} from './lists.ts';
import {
  FeedbackId,
  FeedbackListElement,
  presentElement,
  presentElementOf,
  StatusReceipt,
  StatusUpdate,
} from './schemas.ts';

/** Adds the routes with which admins list all feedback and change its status. */
export function triageRoutes(
  app: ServiceApp,
  options: {
    access: FeedbackAccess;
    desk: FeedbackDesk;
    store: FeedbackStore;
    /** Finds the components of systems and groups. */
    scopeOf: ScopeReader;
    now: () => number;
  },
): void {
  const { access, desk, store, scopeOf, now } = options;

  app.get(
    '/api/v1/feedback',
    {
      config: { access: access.admin, faults: ['unavailable'] },
      schema: {
        tags: ['triage'],
        summary: 'List feedback, newest first or by votes',
        querystring: FeedbackListQuery,
        response: { 200: pageOf(FeedbackListElement) },
      },
    },
    async ({ query, caller }) => {
      const { status, category, rating, sentiment, q, awaits_reply } = query;
      const { open_for_voting } = query;
      const order = orderOf(query, now());
      const found = await store.list(
        {
          status,
          category,
          rating,
          sentiment,
          text: q,
          awaitsReply: awaits_reply,
          isOpenForVoting: open_for_voting,
          span: readSpan(query),
          ...(await aboutEntity(query, { caller, scopeOf })),
        },
        { number: query.page, size: query.per_page, order },
      );
      return presentPage(
        found,
        { ...query, order },
        query.component === undefined ? presentElement : presentElementOf,
      );
    },
  );

  app.put(
    '/api/v1/feedback/:id/status',
    {
      config: { access: access.admin },
      schema: {
        tags: ['triage'],
        summary: 'Change the status of a record; every transition is allowed',
        params: FeedbackId,
        body: StatusUpdate,
        response: { 200: StatusReceipt },
      },
    },
    async ({ body, caller, params }) => {
      const feedback = await desk.changeStatus(params.id, {
        to: body.status,
        notes: body.notes ?? '',
        actor: actorOf(caller),
        seenReplies: body.reply_count,
      });
      return {
        id: feedback.id,
        status: feedback.status,
        updated_at: isoOf(feedback.updatedAt),
      };
    },
  );
}
