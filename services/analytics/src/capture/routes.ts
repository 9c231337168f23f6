import { acceptJson, type Access, type ServiceApp } from '@slipway/service-kit';
import type { FastifyRequest } from 'fastify';
import { type AnalyticsEvent, readInstant } from '../events/AnalyticsEvent.ts';
import type { CaptureGuard } from './captureGuard.ts';
import {
  type Arrival,
  BatchRequest,
  CaptureAnswer,
  CaptureRequest,
  readEvent,
} from './bodies.ts';

const MEBIBYTE = 1024 * 1024;
const CAPTURE_LIMIT = MEBIBYTE;
const BATCH_LIMIT = 20 * MEBIBYTE;

const tags = ['capture'];
const response = { 200: CaptureAnswer };

/** Adds the contract's routes that receive events: each stores a whole request, or nothing. */
export async function captureRoutes(
  app: ServiceApp,
  options: {
    anyone: Access;
    guard: CaptureGuard;
    /** Resolves once the events are stored. */
    keep: (events: readonly AnalyticsEvent[]) => Promise<unknown>;
    now: () => number;
  },
): Promise<void> {
  const { anyone, guard, keep, now } = options;
  // The guard checks the key in the body, and counts events.
  const config = {
    access: anyone,
    limit: false,
    faults: ['unauthenticated', 'rateLimited'],
    body: { recognize: guard.recognizer(guard.assertLeft) },
  } as const;
  const preValidation = guard.admit;
  const arrivalOf = (request: FastifyRequest, sentAt: unknown): Arrival => ({
    projectId: request.projectId!,
    now: now(),
    sentAt: readInstant(sentAt),
  });

  await app.register(async (scope: ServiceApp) => {
    acceptJson(scope, { gzip: true, prototypeMembers: 'error' });
    scope.addHook('onError', async (request, reply) => {
      // The project of a body that could not be read is unknown.
      if (!reply.hasHeader('x-ratelimit-limit')) {
        await guard.countAddress(request, reply).catch(() => undefined);
      }
    });
    scope.post(
      '/api/capture',
      {
        config,
        preValidation,
        bodyLimit: CAPTURE_LIMIT,
        schema: {
          tags,
          summary: 'Send an event',
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
          summary: 'Send several events, all or none of which are stored',
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
}
