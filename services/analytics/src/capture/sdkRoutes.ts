import {
  acceptJson,
  type Access,
  InvalidRequestError,
  repairJson,
  type ServiceApp,
  isJsonObject,
} from '@slipway/service-kit';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { type AnalyticsEvent, BATCH_BYTES } from '../events/AnalyticsEvent.ts';
import { CaptureAnswer } from './routes.ts';
import type { Bursts } from './Bursts.ts';
import { type CaptureGuard, withHeader } from './CaptureGuard.ts';
import type { Drops } from './Drops.ts';
import { flagRoutes } from './flagRoutes.ts';
import type { FlagSource } from './FlagSource.ts';
import { otlpRoute } from './otlpRoute.ts';
import { isRepaired, readSdkEvent } from './sdkEvents.ts';
import {
  acceptBearer,
  decodeSdkBody,
  decodeSdkText,
  readableStart,
  readSdkRequest,
  SdkQuery,
  type SdkRequest,
} from './sdkRequest.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The SDK request; set on the routes that receive one. */
    sdk?: SdkRequest;
  }
}

/** The paths to which old and new SDKs send events. */
const EVENT_PATHS = [
  '/batch',
  '/capture',
  '/e',
  '/engage',
  '/i/v0/e',
  '/track',
] as const;

/** A transparent image of one pixel, for pages that send events by loading an image. */
const PIXEL = Buffer.from(
  'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7',
  'base64',
);

const tags = ['SDKs'];
const summary = 'Receive events from PostHog SDKs';

const SdkBody = Type.Unknown({
  description:
    'An event, an array of events, or an object whose batch holds them, with the project key as api_key or token; as JSON, gzip, base64, or the field data of a form',
});

const Results = Type.Object({
  results: Type.Record(
    Type.String(),
    Type.Object({
      result: Type.String({ description: 'ok or drop' }),
      details: Type.Optional(Type.String()),
    }),
  ),
});

/**
 * Adds the routes of PostHog's SDKs. They respond with 200 to every request with a valid
 * key: on an error, an SDK drops all events of the request, and most SDKs never retry.
 */
export async function sdkRoutes(
  app: ServiceApp,
  options: {
    anyone: Access;
    guard: CaptureGuard;
    bursts: Bursts;
    drops: Drops;
    /** Called with the number of events that had to be changed. */
    onRepaired: (projectId: string, events: number) => void;
    evaluate: FlagSource['evaluate'] | undefined;
    now: () => number;
  },
): Promise<void> {
  const { bursts, drops, onRepaired, evaluate, now } = options;

  /** Stores the events of a request, and reports the result for each. */
  const keep = async (request: FastifyRequest, reply: FastifyReply) => {
    const { events, sentAt } = request.sdk!;
    const projectId = request.projectId!;
    const read = events.map(event =>
      readSdkEvent(event, { projectId, now: now(), sentAt }),
    );
    const good = read.filter(each => typeof each === 'object');
    for (const reason of read.filter(each => typeof each === 'string')) {
      drops.add(projectId, { reason, events: 1 });
    }
    onRepaired(
      projectId,
      read.filter(
        (each, index) =>
          typeof each === 'object' && isRepaired(events[index], each),
      ).length,
    );
    await bursts.keep({ projectId, reply }, good);
    return read;
  };

  await app.register(async (scope: ServiceApp) => {
    const { config, identify } = prepareScope(scope, options);
    const preValidation = (request: FastifyRequest, reply: FastifyReply) =>
      identify(request, reply, readSent(request));
    for (const path of EVENT_PATHS) {
      scope.post(
        path,
        {
          config,
          preValidation,
          bodyLimit: BATCH_BYTES,
          schema: {
            tags,
            summary,
            querystring: SdkQuery,
            body: SdkBody,
            response: { 200: CaptureAnswer },
          },
        },
        async (request, reply) => {
          await keep(request, reply);
          return { status: 1 };
        },
      );
      scope.get(
        path,
        {
          config: { ...config, body: undefined },
          preValidation,
          schema: { tags, summary, querystring: SdkQuery },
        },
        async (request, reply) => {
          await keep(request, reply);
          if (request.query.img !== '1') {
            return { status: 1 };
          }
          reply.type('image/gif');
          return PIXEL;
        },
      );
    }
    flagRoutes(scope, { config, preValidation, evaluate });
    otlpRoute(scope, { config, identify, keep });
    scope.post(
      '/i/v1/analytics/events',
      {
        config,
        onRequest: acceptBearer,
        preValidation,
        bodyLimit: BATCH_BYTES,
        schema: {
          tags,
          summary: 'Receive events with the newest protocol of PostHog SDKs',
          body: SdkBody,
          response: { 200: Results },
        },
      },
      async (request, reply) => {
        const { events } = request.sdk!;
        const read = await keep(request, reply);
        return { results: resultsOf(events, read) };
      },
    );
  });
}

/**
 * Makes a Fastify scope accept bodies in all forms that SDKs send.
 * @returns the settings that its routes share, and the function that sets the project of
 *   their requests.
 */
function prepareScope(
  scope: ServiceApp,
  options: { anyone: Access; guard: CaptureGuard; bursts: Bursts },
) {
  const { anyone, guard, bursts } = options;
  acceptJson(scope, {
    gzip: true,
    mediaTypes: 'any',
    faults: 'repair',
    decode: (_request, body) => decodeSdkBody(body),
  });
  scope.addHook('onError', (request, reply) =>
    guard.countFailure(request, reply),
  );
  const config = {
    access: anyone,
    forMachines: true,
    limit: false,
    cors: 'any',
    faults: ['unauthenticated', 'forbidden', 'rateLimited'],
    body: {
      recognize: (request: FastifyRequest, start: string) =>
        guard.recognize(request, readableStart(start), ({ projectId }) =>
          bursts.assertRoom(projectId),
        ),
    },
  } as const;
  const identify = async (
    request: FastifyRequest,
    reply: FastifyReply,
    sent: SdkRequest,
  ) => {
    request.sdk = sent;
    const keys = withHeader(request, sent.keys);
    await guard.identify(request, reply, keys);
  };
  return { config, identify };
}

/** @throws InvalidRequestError if it is not a valid SDK request. */
function readSent(request: FastifyRequest): SdkRequest {
  // Not validated yet: a repeated parameter is a list.
  const query = Object.fromEntries(
    Object.entries(request.query as object).filter(
      ([, value]) => typeof value === 'string',
    ),
  ) as Record<string, string | undefined>;
  if (request.method !== 'GET') {
    return readSdkRequest(request.body, query);
  }
  const { data } = query;
  const json = decodeSdkText(data ?? '[]').toString();
  let sent: unknown;
  try {
    sent = JSON.parse(json);
  } catch (cause) {
    throw new InvalidRequestError('data is not valid JSON', {
      field: 'data',
      constraint: 'format',
      cause,
    });
  }
  return readSdkRequest(repairJson(sent), query);
}

/** Returns the result for each event, by the uuid that it was sent with. */
function resultsOf(
  events: readonly unknown[],
  read: readonly (AnalyticsEvent | string)[],
): Record<string, { result: string; details?: string }> {
  return Object.fromEntries(
    events.flatMap((event, index) => {
      const kept = read[index];
      const uuid = isJsonObject(event) ? event.uuid : undefined;
      return typeof uuid === 'string'
        ? [
            [
              uuid,
              typeof kept === 'string'
                ? { result: 'drop', details: kept }
                : { result: 'ok' },
            ] as const,
          ]
        : [];
    }),
  );
}
