import { InvalidRequestError } from '@slipway/service-kit';
import { type Static, Type } from 'typebox';
import { v7 as createUuid, validate as isUuid } from 'uuid';
import {
  type AnalyticsEvent,
  eventTime,
  readInstant,
} from '../events/AnalyticsEvent.ts';

const fields = {
  event: Type.String({ minLength: 1, maxLength: 1_000 }),
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
      maxLength: 1_000,
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
export type EventBody = Static<typeof eventBody>;

const ApiKey = Type.Optional(
  Type.String({ description: 'Required here or as X-Api-Key' }),
);
const SentAt = Type.Optional(
  Type.Unknown({
    description: "The sender's clock, used to correct timestamps",
  }),
);

/** Body of `POST /api/capture`. */
export const CaptureRequest = Type.Object({
  api_key: ApiKey,
  sent_at: SentAt,
  ...eventBody.properties,
});

/** The maximum number of events in one request. */
export const MOST_EVENTS = 50_000;

/** Body of `POST /api/batch`. */
export const BatchRequest = Type.Object({
  api_key: ApiKey,
  sent_at: SentAt,
  batch: Type.Array(eventBody, { minItems: 1, maxItems: MOST_EVENTS }),
});

export const CaptureAnswer = Type.Object({ status: Type.Integer() });

const LONGEST_ID = 1_000;

/** The values that all events of a request share. */
export interface Arrival {
  readonly projectId: string;
  /** Milliseconds since the Unix epoch. */
  readonly now: number;
  /** `sent_at` of the request, milliseconds on the sender's clock. */
  readonly sentAt: number | undefined;
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

/** Builds an event from its parts; generates a time or uuid if it is missing or impossible. */
export function buildEvent(
  { projectId, now, sentAt }: Arrival,
  parts: {
    event: string;
    distinctId: string;
    uuid?: unknown;
    /** Its time on the sender's clock, milliseconds since the Unix epoch. */
    at?: number;
    /** Milliseconds between the event and its sending. */
    offset?: unknown;
    properties: Record<string, unknown>;
  },
): AnalyticsEvent {
  const { event, distinctId, uuid, at, offset, properties } = parts;
  const ignoresSentAt = properties.$ignore_sent_at === true;
  return {
    projectId,
    uuid:
      typeof uuid === 'string' && isUuid(uuid)
        ? uuid.toLowerCase()
        : createUuid(),
    event,
    distinctId,
    timestamp: eventTime({
      now,
      timestamp: at,
      sentAt: ignoresSentAt ? undefined : sentAt,
      offset: typeof offset === 'number' ? offset : undefined,
    }),
    createdAt: now,
    properties: JSON.stringify(properties),
  };
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
  if (value.length > LONGEST_ID) {
    throw new InvalidRequestError(
      `${field} must have at most ${LONGEST_ID} characters`,
      { field, constraint: 'maxLength' },
    );
  }
  return value;
}
