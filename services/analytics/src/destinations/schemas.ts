import { isoOf } from '@slipway/entity-contract';
import { WebhookUrl } from '@slipway/service-kit';
import { type Static, Type } from 'typebox';
import { ProjectPath } from '../projects/schemas.ts';
import type { DestinationState } from './Destinations.ts';
import {
  BucketName,
  DestinationId,
  FilePrefix,
  FORMATS,
  type Interval,
  INTERVALS,
} from './destinationConfig.ts';
import type { Delivery } from './storage/DestinationStore.ts';

const Moment = Type.String({ format: 'date-time' });
const Kind = Type.Unsafe<'webhook' | 's3'>({ enum: ['webhook', 's3'] });

export const DestinationPath = Type.Object({
  ...ProjectPath.properties,
  destinationId: Type.String({ maxLength: 64 }),
});

const credential = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: 1_024, description }));

const EventNames = Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
  minItems: 1,
  maxItems: 100,
  description: 'Names of events; all if omitted',
});
const Secret = Type.String({
  minLength: 16,
  maxLength: 256,
  description: 'Key of the signature of a webhook; generated if omitted',
});
const Region = Type.String({ minLength: 1, maxLength: 64 });
const Format = Type.Unsafe<(typeof FORMATS)[number]>({ enum: [...FORMATS] });
const Period = Type.Unsafe<Interval>({
  enum: [...INTERVALS],
  description: 'Period that each file covers, in UTC',
});

export const NewDestination = Type.Object({
  id: DestinationId,
  kind: Kind,
  events: Type.Optional(EventNames),
  url: Type.Optional(WebhookUrl),
  secret: Type.Optional(Secret),
  endpoint: Type.Optional(WebhookUrl),
  region: { ...Region, default: 'us-east-1' },
  bucket: Type.Optional(BucketName),
  prefix: { ...FilePrefix, default: '' },
  access_key_id: credential('Key id of the store'),
  secret_access_key: credential('Secret key of the store'),
  format: { ...Format, default: 'ndjson' },
  interval: { ...Period, default: 'hour' },
});

/** Changes of a destination; omitted secrets are kept. */
export const ChangedDestination = Type.Object(
  {
    paused: Type.Optional(Type.Boolean()),
    id: Type.Optional(DestinationId),
    events: Type.Optional(
      Type.Union([EventNames, Type.Null()], {
        description: 'Names of events; null for all',
      }),
    ),
    url: Type.Optional(WebhookUrl),
    secret: Type.Optional(Secret),
    endpoint: Type.Optional(WebhookUrl),
    region: Type.Optional(Region),
    bucket: Type.Optional(BucketName),
    prefix: Type.Optional(FilePrefix),
    access_key_id: credential('Key id of the store'),
    secret_access_key: credential('Secret key of the store'),
    format: Type.Optional(Format),
    interval: Type.Optional(Period),
  },
  { minProperties: 1 },
);

export const DestinationBody = Type.Object({
  id: Type.String(),
  kind: Kind,
  address: Type.String(),
  events: Type.Optional(Type.Array(Type.String())),
  files: Type.Optional(
    Type.Object(
      {
        region: Type.String(),
        bucket: Type.String(),
        prefix: Type.String(),
        format: Format,
        interval: Period,
      },
      { description: 'Of a bucket' },
    ),
  ),
  is_configured: Type.Boolean({
    description: 'Whether the configuration declares it',
  }),
  is_readable: Type.Boolean({
    description: 'False if its secrets were encrypted with another key',
  }),
  paused: Type.Boolean(),
  delivered: Type.Integer({ description: 'Events received so far' }),
  received_up_to: Type.Optional(Moment),
  last_success_at: Type.Optional(Moment),
  failures: Type.Integer({ description: 'Failures since the last success' }),
  last_error: Type.Optional(Type.String()),
  next_attempt_at: Type.Optional(Moment),
});

export const DestinationList = Type.Object({
  destinations: Type.Array(DestinationBody),
  can_create: Type.Boolean({
    description: 'False if the configuration has no key to encrypt secrets',
  }),
});

export const CreatedDestination = Type.Object({
  destination: DestinationBody,
  secret: Type.Optional(
    Type.String({ description: 'Of a webhook; not shown again' }),
  ),
});

const status = Type.Unsafe<number | null>({ type: ['integer', 'null'] });
const error = Type.Unsafe<string | null>({ type: ['string', 'null'] });

export const TestOutcome = Type.Object({
  delivered: Type.Boolean(),
  status,
  error,
  duration_ms: Type.Integer(),
});

export const DeliveryList = Type.Object({
  deliveries: Type.Array(
    Type.Object({
      at: Moment,
      events: Type.Integer(),
      test: Type.Boolean(),
      status,
      error,
      duration_ms: Type.Integer(),
    }),
  ),
});

export function presentDestination(
  state: DestinationState,
): Static<typeof DestinationBody> {
  const { destination, progress } = state;
  const { id, kind, address, events, origin, isPaused, sink, files } =
    destination;
  return {
    id,
    kind,
    address,
    ...(events && { events: [...events] }),
    ...(files && { files }),
    is_configured: origin === 'configuration',
    is_readable: sink !== undefined,
    paused: isPaused,
    delivered: progress?.delivered ?? 0,
    failures: progress?.failures ?? 0,
    ...(progress && {
      received_up_to: isoOf(progress.cursor.at),
      ...(progress.lastError !== undefined && {
        last_error: progress.lastError,
      }),
      ...(progress.lastSuccessAt !== undefined && {
        last_success_at: isoOf(progress.lastSuccessAt),
      }),
      // There is no time if the next attempt is due immediately, or once the destination is resumed.
      ...(progress.failures > 0 &&
        progress.nextAt > 0 &&
        !isPaused && { next_attempt_at: isoOf(progress.nextAt) }),
    }),
  };
}

export function presentDelivery(delivery: Delivery) {
  const { at, events, isTest, durationMs, ...outcome } = delivery;
  return {
    at: isoOf(at),
    events,
    test: isTest,
    ...outcome,
    duration_ms: durationMs,
  };
}
