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

/** An event as the contract has it. */
const eventBody = Type.Object({
  ...fields,
  distinct_id: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 1_000,
      description: 'Required here or in properties.distinct_id',
    }),
  ),
  timestamp: Type.Optional(
    Type.String({ maxLength: 64, description: 'ISO 8601; now when left out' }),
  ),
  uuid: Type.Optional(
    Type.String({
      format: 'uuid',
      description: 'What is sent twice under one uuid is kept once',
    }),
  ),
});
export type EventBody = Static<typeof eventBody>;

const Anything = Type.Optional(Type.Unknown());

/** An event as SDKs send it: what is not understood about it does not lose it. */
const sdkEventBody = Type.Object({
  ...fields,
  distinct_id: Anything,
  timestamp: Anything,
  uuid: Anything,
  offset: Anything,
  $set: Anything,
  $set_once: Anything,
});
export type SdkEventBody = Static<typeof sdkEventBody>;

const ApiKey = Type.Optional(
  Type.String({ description: 'Required here or as X-Api-Key' }),
);
const SentAt = Type.Optional(
  Type.Unknown({ description: "The sender's clock, to correct the times by" }),
);

/** Body of `POST /api/capture`. */
export const CaptureRequest = Type.Object({
  api_key: ApiKey,
  sent_at: SentAt,
  ...eventBody.properties,
});

const MOST_EVENTS = 50_000;

/** Body of `POST /api/batch`. */
export const BatchRequest = Type.Object({
  api_key: ApiKey,
  sent_at: SentAt,
  batch: Type.Array(eventBody, { minItems: 1, maxItems: MOST_EVENTS }),
});

/** Body of `POST /batch/`. */
export const SdkBatchRequest = Type.Object({
  api_key: ApiKey,
  token: Type.Optional(Type.String()),
  sent_at: SentAt,
  batch: Type.Array(sdkEventBody, { minItems: 1, maxItems: MOST_EVENTS }),
});

export const CaptureAnswer = Type.Object({ status: Type.Integer() });

const LONGEST_ID = 1_000;

/** What the events of a request have in common. */
export interface Arrival {
  readonly projectId: string;
  readonly now: number;
  /** `sent_at` of the request. */
  readonly sentAt: unknown;
}

/**
 * Reads an event of the contract's routes.
 *
 * @param path - of the event in the body, with a point behind it; empty for the body itself.
 * @throws InvalidRequestError naming the field at fault.
 */
export function readEvent(
  body: EventBody,
  arrival: Arrival,
  path = '',
): AnalyticsEvent {
  const { timestamp } = body;
  if (timestamp !== undefined && readInstant(timestamp) === undefined) {
    throw new InvalidRequestError(
      `${path}timestamp must be a time of ISO 8601`,
      {
        field: `${path}timestamp`,
        constraint: 'format',
      },
    );
  }
  return build(body, arrival, path);
}

/**
 * Reads an event of an SDK, leniently as PostHog does: a time that cannot be read is
 * now, a uuid that is none is replaced, numbers are ids too.
 *
 * @throws InvalidRequestError where it has no id of whom it happened to.
 */
export function readSdkEvent(
  body: SdkEventBody,
  arrival: Arrival,
  path = '',
): AnalyticsEvent {
  const { properties, $set, $set_once } = body;
  return build(
    {
      ...body,
      properties: {
        ...properties,
        ...(isObject($set) && { $set }),
        ...(isObject($set_once) && { $set_once }),
      },
    },
    arrival,
    path,
  );
}

function build(
  body: SdkEventBody,
  arrival: Arrival,
  path: string,
): AnalyticsEvent {
  const { projectId, now } = arrival;
  const properties = body.properties ?? {};
  const ignoresSentAt = properties.$ignore_sent_at === true;
  return {
    projectId,
    uuid:
      typeof body.uuid === 'string' && isUuid(body.uuid)
        ? body.uuid.toLowerCase()
        : createUuid(),
    event: body.event,
    distinctId: readDistinctId(
      body.distinct_id ?? properties.distinct_id,
      `${path}distinct_id`,
    ),
    timestamp: eventTime({
      now,
      timestamp: readInstant(body.timestamp),
      sentAt: ignoresSentAt ? undefined : readInstant(arrival.sentAt),
      offset: typeof body.offset === 'number' ? body.offset : undefined,
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

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
