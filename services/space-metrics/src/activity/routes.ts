import type { Access, ServiceApp } from '@slipway/service-kit';
import type { ActivityIntake, EventReader } from './ActivityIntake.ts';
import { BatchReceipt, ChatBatch, EventBatch } from './schemas.ts';

/** Adds the routes with which other systems report activity. */
export function activityRoutes(
  app: ServiceApp,
  options: { access: Access; intake: ActivityIntake; reader: EventReader },
): void {
  const { access, intake, reader } = options;

  app.post(
    '/api/v1/activity/events',
    {
      config: { access },
      schema: {
        tags: ['activity'],
        summary:
          'Report commits, merges, comments, reviews, documentation and builds',
        body: EventBatch,
        response: { 200: BatchReceipt },
      },
    },
    async ({ body: { source, events } }) =>
      intake.add(events, item => reader.event(item, source)),
  );

  app.post(
    '/api/v1/activity/chat',
    {
      config: { access },
      schema: {
        tags: ['activity'],
        summary: 'Report the number of chat messages, never their text',
        body: ChatBatch,
        response: { 200: BatchReceipt },
      },
    },
    async ({ body: { source, counts } }) =>
      intake.add(counts, item => reader.chat(item, source)),
  );
}
