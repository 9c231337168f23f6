import { type Static, Type } from 'typebox';

const common = {
  id: Type.String({ pattern: '^[a-z0-9][a-z0-9_-]{0,62}$' }),
  /** Names of events; all if omitted. */
  events: Type.Optional(Type.Array(Type.String({ minLength: 1 }))),
};

/** Receives batches of events as signed requests, within seconds. */
const webhookConfig = Type.Object(
  {
    kind: Type.Literal('webhook'),
    ...common,
    url: Type.String({ pattern: '^https?://' }),
    /** Key of the signature in `X-Slipway-Signature-256`. */
    secret: Type.String({ minLength: 16 }),
  },
  { additionalProperties: false },
);
export type WebhookConfig = Static<typeof webhookConfig>;

/** Receives a file per hour, in a bucket of an S3-compatible store. */
const s3Config = Type.Object(
  {
    kind: Type.Literal('s3'),
    ...common,
    /** Address of the store, e.g. `https://s3.eu-central-1.amazonaws.com`. */
    endpoint: Type.String({ pattern: '^https?://' }),
    region: Type.String({ default: 'us-east-1' }),
    bucket: Type.String({ pattern: '^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$' }),
    /** Precedes the names of files, e.g. `analytics/`. */
    prefix: Type.String({
      pattern: '^[A-Za-z0-9_./-]*$',
      default: '',
    }),
    accessKeyId: Type.String({ minLength: 1 }),
    secretAccessKey: Type.String({ minLength: 1 }),
    format: Type.Unsafe<'ndjson' | 'parquet'>(
      Type.String({ enum: ['ndjson', 'parquet'], default: 'ndjson' }),
    ),
  },
  { additionalProperties: false },
);
export type S3Config = Static<typeof s3Config>;

/** A destination of a project's events. */
export const destinationConfig = Type.Union([webhookConfig, s3Config]);
export type DestinationConfig = Static<typeof destinationConfig>;
