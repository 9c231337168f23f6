import { randomBytes } from 'node:crypto';
import { InvalidRequestError } from '@slipway/service-kit';
import type { Static } from 'typebox';
import type {
  DestinationChanges,
  DestinationConfig,
} from './destinationConfig.ts';
import type { ChangedDestination, NewDestination } from './schemas.ts';

const SECRET_BYTES = 32;

type Changes = Static<typeof ChangedDestination>;

/** The fields that only one kind of destination has. */
const FIELDS = {
  webhook: ['url', 'secret'],
  s3: [
    'endpoint',
    'region',
    'bucket',
    'prefix',
    'access_key_id',
    'secret_access_key',
    'format',
    'interval',
  ],
} as const satisfies Record<string, readonly (keyof Changes)[]>;

/**
 * Reads the settings of a new destination.
 * @throws InvalidRequestError naming a missing field that its kind requires.
 */
export function readDestination(
  body: Static<typeof NewDestination>,
): DestinationConfig {
  const { id, events } = body;
  const common = { id, ...(events && { events: [...events] }) };
  if (body.kind === 'webhook') {
    return {
      ...common,
      kind: 'webhook',
      url: needed(body, 'url'),
      secret: body.secret ?? randomBytes(SECRET_BYTES).toString('base64url'),
    };
  }
  return {
    ...common,
    kind: 's3',
    endpoint: needed(body, 'endpoint'),
    region: body.region,
    bucket: needed(body, 'bucket'),
    prefix: body.prefix,
    accessKeyId: needed(body, 'access_key_id'),
    secretAccessKey: needed(body, 'secret_access_key'),
    format: body.format,
    interval: body.interval,
  };
}

function needed(
  body: Static<typeof NewDestination>,
  field: 'url' | 'endpoint' | 'bucket' | 'access_key_id' | 'secret_access_key',
): string {
  const value = body[field];
  if (value === undefined) {
    throw new InvalidRequestError(
      `${field} is required for destinations of kind ${body.kind}`,
      { field, constraint: 'required' },
    );
  }
  return value;
}

/**
 * Reads changes of a destination.
 * @throws InvalidRequestError naming a field that its kind does not have.
 */
export function readChanges(
  body: Changes,
  kind: DestinationConfig['kind'],
): DestinationChanges {
  const other = kind === 'webhook' ? FIELDS.s3 : FIELDS.webhook;
  const field = other.find(name => body[name] !== undefined);
  if (field !== undefined) {
    throw new InvalidRequestError(
      `${field} does not apply to destinations of kind ${kind}`,
      { field, constraint: 'additionalProperties' },
    );
  }
  const { paused: isPaused, id, events, ...settings } = body;
  const common = {
    ...(isPaused !== undefined && { isPaused }),
    ...(id !== undefined && { id }),
    ...(events !== undefined && { events }),
  };
  const {
    access_key_id: accessKeyId,
    secret_access_key: secretAccessKey,
    ...others
  } = settings;
  return {
    ...common,
    kind,
    settings: {
      ...others,
      ...(accessKeyId !== undefined && { accessKeyId }),
      ...(secretAccessKey !== undefined && { secretAccessKey }),
    },
  };
}
