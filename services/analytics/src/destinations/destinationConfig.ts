import { type Static, Type } from 'typebox';

/** Formats of files. */
export const FORMATS = ['ndjson', 'parquet'] as const;

/** Periods by which events are split into files, in UTC. */
export const INTERVALS = ['hour', 'day'] as const;
export type Interval = (typeof INTERVALS)[number];

/** Identifies a destination within its project. */
export const DestinationId = Type.String({
  pattern: '^[a-z0-9][a-z0-9_-]{0,62}$',
  patternDescription:
    'must be at most 63 lower-case letters, digits, _ and -, and begin with a letter or digit',
});

export const BucketName = Type.String({
  pattern: '^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$',
  patternDescription:
    'must be 3 to 63 lower-case letters, digits, dots and hyphens',
});

/** Prefix of the names of files, e.g. `analytics/`. */
export const FilePrefix = Type.String({
  pattern: '^[A-Za-z0-9_./-]*$',
  patternDescription: 'must only contain letters, digits and _ . / -',
  maxLength: 200,
});

const common = {
  id: DestinationId,
  /** Names of the events to send; all if omitted. */
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

/** Receives files of each hour or day, in a bucket of an S3-compatible store. */
const s3Config = Type.Object(
  {
    kind: Type.Literal('s3'),
    ...common,
    /** Address of the store, e.g. `https://s3.eu-central-1.amazonaws.com`. */
    endpoint: Type.String({ pattern: '^https?://' }),
    region: Type.String({ default: 'us-east-1' }),
    bucket: BucketName,
    prefix: { ...FilePrefix, default: '' },
    accessKeyId: Type.String({ minLength: 1 }),
    secretAccessKey: Type.String({ minLength: 1 }),
    format: Type.Unsafe<(typeof FORMATS)[number]>(
      Type.String({ enum: [...FORMATS], default: 'ndjson' }),
    ),
    /** An hour if omitted. */
    interval: Type.Optional(
      Type.Unsafe<Interval>(Type.String({ enum: [...INTERVALS] })),
    ),
  },
  { additionalProperties: false },
);
export type S3Config = Static<typeof s3Config>;

/** A destination of a project's events. */
export const destinationConfig = Type.Union([webhookConfig, s3Config]);
export type DestinationConfig = Static<typeof destinationConfig>;

/** The settings of a bucket's files, which people may see. */
export type FileSettings = Required<
  Pick<S3Config, 'region' | 'bucket' | 'prefix' | 'format' | 'interval'>
>;

type Settings<Config> = Partial<Omit<Config, 'kind' | 'id' | 'events'>>;

/** Changes of a destination; omitted settings remain unchanged. */
export type DestinationChanges = {
  readonly id?: string;
  /** Names of events; null for all. */
  readonly events?: string[] | null;
  readonly isPaused?: boolean;
} & (
  | { readonly kind: 'webhook'; readonly settings: Settings<WebhookConfig> }
  | { readonly kind: 's3'; readonly settings: Settings<S3Config> }
);

/**
 * Applies changes to the settings of a destination.
 * @returns undefined if the changes are for another kind of destination.
 */
export function changedConfig(
  config: DestinationConfig,
  changes: DestinationChanges,
): DestinationConfig | undefined {
  const { events: former, ...rest } = config;
  const events = changes.events === undefined ? former : changes.events;
  const identity = {
    ...(changes.id !== undefined && { id: changes.id }),
    ...(events && { events }),
  };
  if (rest.kind === 'webhook' && changes.kind === 'webhook') {
    return { ...rest, ...changes.settings, ...identity };
  }
  return rest.kind === 's3' && changes.kind === 's3'
    ? { ...rest, ...changes.settings, ...identity }
    : undefined;
}

/**
 * Creates the settings of a destination from changes only, because the stored ones cannot
 * be decrypted. Its id and its events are kept; other omitted settings get their defaults.
 * @returns the settings, the names of missing settings, or undefined if the changes are for
 *   another kind of destination.
 */
export function renewedConfig(
  stored: Pick<DestinationConfig, 'kind' | 'id'> & {
    events?: readonly string[];
  },
  changes: DestinationChanges,
): DestinationConfig | { missing: string[] } | undefined {
  if (stored.kind !== changes.kind) {
    return undefined;
  }
  const { id = stored.id, events = stored.events } = changes;
  const identity = { id, ...(events && { events: [...events] }) };
  if (changes.kind === 'webhook') {
    const { url, secret } = changes.settings;
    return url !== undefined && secret !== undefined
      ? { kind: 'webhook', ...identity, url, secret }
      : missingOf({ url, secret });
  }
  const { endpoint, bucket, accessKeyId, secretAccessKey } = changes.settings;
  return endpoint !== undefined &&
    bucket !== undefined &&
    accessKeyId !== undefined &&
    secretAccessKey !== undefined
    ? {
        kind: 's3',
        ...identity,
        region: 'us-east-1',
        prefix: '',
        format: 'ndjson',
        ...changes.settings,
        endpoint,
        bucket,
        accessKeyId,
        secretAccessKey,
      }
    : missingOf({
        endpoint,
        bucket,
        access_key_id: accessKeyId,
        secret_access_key: secretAccessKey,
      });
}

function missingOf(settings: Record<string, string | undefined>) {
  return {
    missing: Object.keys(settings).filter(name => settings[name] === undefined),
  };
}
