import { actorOf, type ServiceApp } from '@slipway/service-kit';
import type { FeedbackAccess } from '../access.ts';
import { readSpan } from '../periods/TimeSpan.ts';
import type { FeedbackDesk } from './FeedbackDesk.ts';
import type { FeedbackStore } from './FeedbackStore.ts';
import { iso, presentElement } from './presentFeedback.ts';
import { presentPage } from './presentPage.ts';
import {
  FeedbackId,
  FeedbackListElement,
  FeedbackListQuery,
  pageOf,
  StatusReceipt,
  StatusUpdate,
} from './schemas.ts';

/** Lists feedback and moves it, for who triages. */
export function triageRoutes(
  app: ServiceApp,
  options: {
    access: FeedbackAccess;
    desk: FeedbackDesk;
    store: FeedbackStore;
  },
): void {
  const { access, desk, store } = options;

  app.get(
    '/api/v1/feedback',
    {
      config: { access: access.admin },
      schema: {
        tags: ['triage'],
        summary: 'List feedback, newest first',
        querystring: FeedbackListQuery,
        response: { 200: pageOf(FeedbackListElement) },
      },
    },
    async ({ query }) => {
      const { status, category, rating, sentiment, q } = query;
      const found = await store.list(
        { status, category, rating, sentiment, text: q, span: readSpan(query) },
        { number: query.page, size: query.per_page },
      );
      return presentPage(found, query, presentElement);
    },
  );

  app.put(
    '/api/v1/feedback/:id/status',
    {
      config: { access: access.admin },
      schema: {
        tags: ['triage'],
        summary: 'Move a record; any status may follow any',
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
      });
      return {
        id: feedback.id,
        status: feedback.status,
        updated_at: iso(feedback.updatedAt),
      };
    },
  );
}
