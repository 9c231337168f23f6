import {
  acceptJson,
  type Access,
  InvalidRequestError,
  type ServiceApp,
} from '@slipway/service-kit';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import {
  type AnalyticsEvent,
  type Arrival,
  BATCH_BYTES,
  buildEvent,
  LONGEST_EVENT_NAME,
  MOST_EVENTS,
  readInstant,
} from '../events/AnalyticsEvent.ts';
import type { Intake } from '../ingestion/IngestionCounts.ts';
import type { EventStore } from '../store/EventStore.ts';
import type { CaptureGuard } from './CaptureGuard.ts';

const fields = {
  event: Type.String({ minLength: 1, maxLength: LONGEST_EVENT_NAME }),
  properties: Type.Optional(
    Type.Unsafe<Record<string, unknown>>({
      type: 'object',
      description: 'Any JSON object',
    }),
  ),
};

/** An event as the contract defines it. */
export const eventBody = Type.Object({
  ...fields,
  distinct_id: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: LONGEST_EVENT_NAME,
      description: 'Required here or in properties.distinct_id',
    }),
  ),
  timestamp: Type.Optional(
    Type.String({
      maxLength: 64,
      description: 'ISO 8601; default: the current time',
    }),
  ),
  uuid: Type.Optional(
    Type.String({
      format: 'uuid',
      description: 'Events with the same uuid are stored once',
    }),
  ),
});
type EventBody = Static<typeof eventBody>;

const ApiKey = Type.Optional(
  Type.String({ description: 'Required here or as X-Api-Key' }),
);
const SentAt = Type.Optional(
  Type.Unknown({
    description: "The sender's clock, used to correct timestamps",
  }),
);

/** Body of `POST /api/capture`. */
const CaptureRequest = Type.Object({
  api_key: ApiKey,
  sent_at: SentAt,
  ...eventBody.properties,
});

/** Body of `POST /api/batch`. */
const BatchRequest = Type.Object({
  api_key: ApiKey,
  sent_at: SentAt,
  batch: Type.Array(eventBody, { minItems: 1, maxItems: MOST_EVENTS }),
});

export const CaptureAnswer = Type.Object({ status: Type.Integer() });

const CAPTURE_BYTES = 1024 * 1024;

const tags = ['capture'];
const response = { 200: CaptureAnswer };

/** The store and the counters of captured events. */
export interface Keeping {
  store: Pick<EventStore, 'append'>;
  /** Called once events are stored, with the numbers of received and repeated ones. */
  onKept: (projectId: string, intake: Intake) => void;
}

/**
 * Stores and counts events, all of one project; resolves once they are on disk.
 * @returns the number of new events.
 */
export async function keepEvents(
  events: readonly AnalyticsEvent[],
  { store, onKept }: Keeping,
): Promise<number> {
  const received = events.length;
  const added = await store.append(events);
  if (received > 0) {
    onKept(events[0].projectId, { received, repeated: received - added });
  }
  return added;
}

/** Adds the contract's routes that receive events: each stores a whole request, or nothing. */
export async function captureRoutes(
  app: ServiceApp,
  options: Keeping & {
    anyone: Access;
    guard: CaptureGuard;
    now: () => number;
  },
): Promise<void> {
  const { anyone, guard, now } = options;
  // The guard checks the key in the body, and counts events.
  const config = {
    access: anyone,
    forMachines: true,
    limit: false,
    faults: ['unauthenticated', 'rateLimited'],
    body: {
      recognize: (request: FastifyRequest, start: string) =>
        guard.recognize(request, start, owner => guard.assertLeft(owner)),
    },
  } as const;
  const preValidation = (request: FastifyRequest, reply: FastifyReply) =>
    guard.admit(request, reply);
  const arrivalOf = (request: FastifyRequest, sentAt: unknown): Arrival => ({
    projectId: request.projectId!,
    now: now(),
    sentAt: readInstant(sentAt),
  });

  await app.register(async (scope: ServiceApp) => {
    acceptJson(scope, { gzip: true, prototypeMembers: 'error' });
    scope.addHook('onError', (request, reply) =>
      guard.countFailure(request, reply),
    );
    scope.post(
      '/api/capture',
      {
        config,
        preValidation,
        bodyLimit: CAPTURE_BYTES,
        schema: {
          tags,
          summary: 'Send an event',
          body: CaptureRequest,
          response,
        },
      },
      async request => {
        const { body } = request;
        const arrival = arrivalOf(request, body.sent_at);
        await keepEvents([readEvent(body, arrival)], options);
        return { status: 1 };
      },
    );
    scope.post(
      '/api/batch',
      {
        config,
        preValidation,
        bodyLimit: BATCH_BYTES,
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
        await keepEvents(
          batch.map((event, index) =>
            readEvent(event, arrival, `batch.${index}.`),
          ),
          options,
        );
        return { status: 1 };
      },
    );
  });
}

/**
 * Reads an event of the contract's routes.
 * @param path - path of the event in the body, with a trailing dot; empty for the body
 *   itself.
 * @throws InvalidRequestError naming the invalid field.
 */
export function readEvent(
  body: EventBody,
  arrival: Arrival,
  path = '',
): AnalyticsEvent {
  const { timestamp, properties = {} } = body;
  const at = readInstant(timestamp);
  if (timestamp !== undefined && at === undefined) {
    throw new InvalidRequestError(
      `${path}timestamp must be an ISO 8601 timestamp`,
      {
        field: `${path}timestamp`,
        constraint: 'format',
      },
    );
  }
  return buildEvent(arrival, {
    event: body.event,
    distinctId: readDistinctId(
      body.distinct_id ?? properties.distinct_id,
      `${path}distinct_id`,
    ),
    uuid: body.uuid,
    at,
    properties,
  });
}

function readDistinctId(value: unknown, field: string): string {
  if (typeof value === 'number') {
    return String(value);
  }
  if (typeof value !== 'string' || value === '') {
    throw new InvalidRequestError(`${field} is required`, {
      field,
      constraint: 'required',
    });
  }
  if (value.length > LONGEST_EVENT_NAME) {
    throw new InvalidRequestError(
      `${field} must have at most ${LONGEST_EVENT_NAME} characters`,
      { field, constraint: 'maxLength' },
    );
  }
  return value;
}
