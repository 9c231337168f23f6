import { NotFoundError, type ServiceApp } from '@slipway/service-kit';
import type { FeedbackAccess } from '../access.ts';
import type { FeedbackDesk } from '../feedback/FeedbackDesk.ts';
import { FeedbackId } from '../feedback/schemas.ts';
import type { ScreenshotStore } from '../storage/ScreenshotStore.ts';
import { servedBytes } from './Screenshot.ts';

/** Serves screenshots to callers who may read the record. */
export function screenshotRoutes(
  app: ServiceApp,
  options: {
    access: FeedbackAccess;
    desk: FeedbackDesk;
    screenshots: ScreenshotStore;
  },
): void {
  const { access, desk, screenshots } = options;
  app.get(
    '/api/v1/feedback/:id/screenshot',
    {
      config: { access: access.read },
      schema: {
        tags: ['feedback'],
        summary: 'Get the screenshot of a record',
        params: FeedbackId,
        response: {
          200: {
            description: 'The image, with the type detected from its content',
          },
        },
      },
    },
    async ({ caller, params }, reply) => {
      const feedback = await desk.read(params.id);
      await access.assertMayRead(caller, feedback);
      const screenshot = await screenshots.find(feedback.id);
      if (!screenshot) {
        throw new NotFoundError('This feedback has no screenshot');
      }
      return reply
        .headers({
          'content-type': screenshot.type,
          'content-disposition': 'inline; filename="screenshot"',
          // The image never changes, but the permission to read it may.
          'cache-control': 'private, max-age=300, immutable',
          'x-content-type-options': 'nosniff',
          // Opened directly, it must be displayed as an image and run nothing.
          'content-security-policy': "default-src 'none'; sandbox",
        })
        .send(servedBytes(screenshot));
    },
  );
}
