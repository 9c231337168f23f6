import type {
  Destination,
  DestinationChanges,
  DestinationKind,
  FileFormat,
  FileInterval,
  NewDestination,
} from '../api/DestinationsApi';

/** The fields of the form, as typed. */
export interface DestinationFields {
  kind: DestinationKind;
  id: string;
  /** Names of events, one per line; empty for all. */
  events: string;
  url: string;
  /** The new secret of an existing webhook. */
  secret: string;
  endpoint: string;
  region: string;
  bucket: string;
  prefix: string;
  accessKeyId: string;
  secretAccessKey: string;
  format: FileFormat;
  interval: FileInterval;
}

/** The names of the fields that are typed as text. */
export type TextName = Exclude<
  keyof DestinationFields,
  'kind' | 'format' | 'interval'
>;

export const EMPTY_FIELDS: DestinationFields = {
  kind: 'webhook',
  id: '',
  events: '',
  url: '',
  secret: '',
  endpoint: '',
  region: '',
  bucket: '',
  prefix: '',
  accessKeyId: '',
  secretAccessKey: '',
  format: 'ndjson',
  interval: 'hour',
};

const ID = /^[a-z0-9][a-z0-9_-]*$/;
const MIN_SECRET_LENGTH = 16;
const DEFAULT_REGION = 'us-east-1';
const NEEDED = {
  webhook: ['id', 'url', 'secret'],
  s3: ['id', 'endpoint', 'bucket', 'accessKeyId', 'secretAccessKey'],
} as const satisfies Record<DestinationKind, readonly TextName[]>;
/**
 * Fields whose stored value the portal does not know: left empty, they keep it if it can be
 * decrypted.
 */
const KEPT: readonly TextName[] = [
  'url',
  'secret',
  'endpoint',
  'accessKeyId',
  'secretAccessKey',
];

/**
 * Returns the fields of an existing destination; fields for secrets are empty. If its
 * settings cannot be decrypted, the settings of a bucket are read from its address.
 */
export function fieldsOf(destination: Destination): DestinationFields {
  const { id, kind, events, files, address } = destination;
  const { origin, pathname } = new URL(address);
  return {
    ...EMPTY_FIELDS,
    ...(kind === 's3' &&
      !files && { endpoint: origin, bucket: pathname.slice(1) }),
    ...files,
    id,
    kind,
    events: events?.join('\n') ?? '',
  };
}

/**
 * Checks the value of a field. @param destination - the destination to change; undefined
 * for a new one.
 */
export function isValid(
  fields: DestinationFields,
  name: TextName,
  destination?: Destination,
): boolean {
  const value = fields[name].trim();
  if (value === '' && destination?.is_readable && KEPT.includes(name)) {
    return true;
  }
  switch (name) {
    case 'id':
      return ID.test(value);
    case 'url':
    case 'endpoint':
      return /^https?:\/\/\S/.test(value) && URL.canParse(value);
    case 'secret':
      // The service generates the secret of a new webhook.
      return !destination || value.length >= MIN_SECRET_LENGTH;
    case 'bucket':
    case 'accessKeyId':
    case 'secretAccessKey':
      return value !== '';
    default:
      return true;
  }
}

/** Returns the destination that the fields describe; undefined if a field is invalid. */
export function destinationOf(
  fields: DestinationFields,
): NewDestination | undefined {
  if (!areValid(fields)) {
    return undefined;
  }
  const { id, url, endpoint, accessKeyId, secretAccessKey } = trimmed(fields);
  const events = eventsOf(fields);
  const common = { id, ...(events.length > 0 && { events }) };
  return fields.kind === 'webhook'
    ? { ...common, kind: 'webhook', url }
    : {
        ...common,
        kind: 's3',
        endpoint,
        ...fileSettingsOf(fields),
        access_key_id: accessKeyId,
        secret_access_key: secretAccessKey,
      };
}

/** Returns the changes that the fields describe; undefined if a field is invalid. */
export function changesOf(
  fields: DestinationFields,
  destination: Destination,
): DestinationChanges | undefined {
  if (!areValid(fields, destination)) {
    return undefined;
  }
  const { id, url, secret, endpoint, accessKeyId, secretAccessKey } =
    trimmed(fields);
  const events = eventsOf(fields);
  const isFiltered = fields.events !== fieldsOf(destination).events;
  const common = {
    id,
    ...(isFiltered && { events: events.length > 0 ? events : null }),
  };
  return fields.kind === 'webhook'
    ? { ...common, ...(url && { url }), ...(secret && { secret }) }
    : {
        ...common,
        ...fileSettingsOf(fields),
        ...(endpoint && { endpoint }),
        ...(accessKeyId && { access_key_id: accessKeyId }),
        ...(secretAccessKey && { secret_access_key: secretAccessKey }),
      };
}

function areValid(
  fields: DestinationFields,
  destination?: Destination,
): boolean {
  return NEEDED[fields.kind].every(name => isValid(fields, name, destination));
}

function trimmed(fields: DestinationFields): Record<TextName, string> {
  const { kind: _, format: __, interval: ___, ...texts } = fields;
  return Object.fromEntries(
    Object.entries(texts).map(([name, text]) => [name, text.trim()]),
  ) as Record<TextName, string>;
}

function eventsOf(fields: DestinationFields): string[] {
  return fields.events
    .split('\n')
    .map(name => name.trim())
    .filter(name => name !== '');
}

function fileSettingsOf(fields: DestinationFields) {
  const { region, bucket, prefix } = trimmed(fields);
  const { format, interval } = fields;
  return {
    region: region || DEFAULT_REGION,
    bucket,
    prefix,
    format,
    interval,
  };
}
