import type {
  DestinationKind,
  FileFormat,
  NewDestination,
} from '../api/DestinationsApi';

/** The fields of the form, as typed. */
export interface DestinationFields {
  kind: DestinationKind;
  id: string;
  /** Names of events, separated by commas; empty for all. */
  events: string;
  url: string;
  endpoint: string;
  region: string;
  bucket: string;
  prefix: string;
  accessKeyId: string;
  secretAccessKey: string;
  format: FileFormat;
}

export const EMPTY_FIELDS: DestinationFields = {
  kind: 'webhook',
  id: '',
  events: '',
  url: '',
  endpoint: '',
  region: '',
  bucket: '',
  prefix: '',
  accessKeyId: '',
  secretAccessKey: '',
  format: 'ndjson',
};

const ID = /^[a-z0-9][a-z0-9_-]*$/;

/** Checks the value of a field that must have one. */
export function isValid(
  fields: DestinationFields,
  name: Exclude<keyof DestinationFields, 'kind' | 'format'>,
): boolean {
  const value = fields[name].trim();
  switch (name) {
    case 'id':
      return ID.test(value);
    case 'url':
    case 'endpoint':
      return /^https?:\/\/\S/.test(value) && URL.canParse(value);
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
  const events = fields.events
    .split(',')
    .map(name => name.trim())
    .filter(name => name !== '');
  const common = {
    id: fields.id.trim(),
    ...(events.length > 0 && { events }),
  };
  if (fields.kind === 'webhook') {
    const names = ['id', 'url'] as const;
    return names.every(name => isValid(fields, name))
      ? { ...common, kind: 'webhook', url: fields.url.trim() }
      : undefined;
  }
  const names = [
    'id',
    'endpoint',
    'bucket',
    'accessKeyId',
    'secretAccessKey',
  ] as const;
  const region = fields.region.trim();
  return names.every(name => isValid(fields, name))
    ? {
        ...common,
        kind: 's3',
        endpoint: fields.endpoint.trim(),
        ...(region && { region }),
        bucket: fields.bucket.trim(),
        prefix: fields.prefix.trim(),
        access_key_id: fields.accessKeyId.trim(),
        secret_access_key: fields.secretAccessKey.trim(),
        format: fields.format,
      }
    : undefined;
}
