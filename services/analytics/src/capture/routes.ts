import type { Access, ServiceApp } from '@slipway/service-kit';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AnalyticsEvent } from '../events/AnalyticsEvent.ts';
import { acceptEvents } from './acceptEvents.ts';
import type { CaptureGuard } from './CaptureGuard.ts';
import { type Arrival, readEvent, readSdkEvent } from './readEvent.ts';
import {
  BatchRequest,
  CaptureAnswer,
  CaptureRequest,
  SdkBatchRequest,
} from './schemas.ts';

const MEBIBYTE = 1024 * 1024;
const CAPTURE_LIMIT = MEBIBYTE;
const BATCH_LIMIT = 20 * MEBIBYTE;

const tags = ['capture'];
const response = { 200: CaptureAnswer };

/** Takes events: the routes of the contract, and that of PostHog's SDKs. */
export async function captureRoutes(
  app: ServiceApp,
  options: {
    anyone: Access;
    guard: CaptureGuard;
    /** Resolves once they are kept. */
    keep: (events: readonly AnalyticsEvent[]) => Promise<unknown>;
    now: () => number;
  },
): Promise<void> {
  const { anyone, guard, keep, now } = options;
  // The guard asks for the key of the body, and counts events.
  const config = {
    access: anyone,
    limit: false,
    faults: ['unauthenticated', 'rateLimited'],
    body: { untrusted: { unpacked: BATCH_LIMIT } },
  } as const;
  const preValidation = (request: FastifyRequest, reply: FastifyReply) =>
    guard.admit(request, reply);
  const arrivalOf = (request: FastifyRequest, sentAt: unknown): Arrival => ({
    projectId: request.projectId!,
    now: now(),
    sentAt,
  });
  const countFailures = (scope: ServiceApp) =>
    scope.addHook('onError', async (request, reply) => {
      // A body that could not be read names no project.
      if (!reply.hasHeader('x-ratelimit-limit')) {
        await guard.countAddress(request, reply).catch(() => undefined);
      }
    });

  await app.register(async (scope: ServiceApp) => {
    acceptEvents(scope, { repairs: false });
    countFailures(scope);
    scope.post(
      '/api/capture',
      {
        config,
        preValidation,
        bodyLimit: CAPTURE_LIMIT,
        schema: {
          tags,
          summary: 'Keep an event',
          body: CaptureRequest,
          response,
        },
      },
      async request => {
        const { body } = request;
        await keep([readEvent(body, arrivalOf(request, body.sent_at))]);
        return { status: 1 };
      },
    );
    scope.post(
      '/api/batch',
      {
        config,
        preValidation,
        bodyLimit: BATCH_LIMIT,
        schema: {
          tags,
          summary: 'Keep several events, all or none',
          body: BatchRequest,
          response,
        },
      },
      async request => {
        const { batch, sent_at: sentAt } = request.body;
        const arrival = arrivalOf(request, sentAt);
        await keep(
          batch.map((event, index) =>
            readEvent(event, arrival, `batch.${index}.`),
          ),
        );
        return { status: 1 };
      },
    );
  });

  await app.register(async (scope: ServiceApp) => {
    acceptEvents(scope, { mediaTypes: ['text/plain'], repairs: true });
    countFailures(scope);
    scope.post(
      '/batch',
      {
        config,
        preValidation,
        bodyLimit: BATCH_LIMIT,
        schema: {
          tags,
          summary: 'Keep what an SDK of PostHog sends',
          body: SdkBatchRequest,
          response,
        },
      },
      async request => {
        const { batch, sent_at: sentAt } = request.body;
        const arrival = arrivalOf(request, sentAt);
        await keep(
          batch.map((event, index) =>
            readSdkEvent(event, arrival, `batch.${index}.`),
          ),
        );
        return { status: 1 };
      },
    );
  });
}
