import { InvalidRequestError } from '@slipway/service-kit';
import type { Context } from 'unleash-client';
import { readName, timeIn, type Loose } from '../client/reports.ts';

const FIELDS = ['userId', 'sessionId', 'appName', 'remoteAddress'] as const;

const NOT_PROPERTIES: ReadonlySet<string> = new Set([
  ...FIELDS,
  'environment',
  'currentTime',
  'properties',
]);

/**
 * Maximum total length of all properties, about as much as fits into a query string. The server
 * matches expressions against them, and longer values take longer.
 */
const MAX_PROPERTIES = 16_384;

/** `properties[region]=eu` */
const PROPERTY = /^properties\[([^\]]+)\]$/;

type Members = Readonly<Record<string, Loose | Loose[]>>;

/** Default values of a context. */
interface Surroundings {
  /** The environment of the token. */
  environment: string;
  appName: string | undefined;
  remoteAddress: string;
}

/** Reads the context from a query: unknown fields are properties. */
export function contextOfQuery(
  query: Members,
  surroundings: Surroundings,
): Context {
  const members = Object.fromEntries(
    Object.entries(query).map(([key, value]) => [
      key,
      Array.isArray(value) ? value.at(-1) : value,
    ]),
  );
  const properties = Object.entries(members).flatMap(([key, value]) => {
    const [, name] = PROPERTY.exec(key) ?? [];
    return name === undefined ? [] : [[name, value] as const];
  });
  const rest = Object.entries(members).filter(([key]) => !PROPERTY.test(key));
  return contextOf(
    { ...Object.fromEntries(rest), properties: Object.fromEntries(properties) },
    surroundings,
  );
}

/**
 * Reads the context from a body.
 *
 * @throws InvalidRequestError if a property is not a string, or properties are too long.
 */
export function contextOf(
  members: Readonly<Record<string, Loose>>,
  surroundings: Surroundings,
): Context {
  const { appName, remoteAddress } = surroundings;
  const sent = readName(members.environment);
  // SDKs for browsers send `default` if the application does not set one.
  const environment =
    sent === undefined || sent === 'default' ? surroundings.environment : sent;
  const instant = timeIn(members.currentTime);
  const fields = Object.fromEntries(
    FIELDS.flatMap(field => {
      const value = readName(members[field]);
      return value === undefined ? [] : [[field, value]];
    }),
  );
  const others = Object.entries(members).filter(
    ([key]) => !NOT_PROPERTIES.has(key),
  );
  const properties = {
    ...readProperties(Object.fromEntries(others)),
    ...readProperties(members.properties ?? {}),
  };
  assertShort(properties);
  return {
    appName,
    remoteAddress,
    ...fields,
    environment,
    currentTime: instant === undefined ? new Date() : new Date(instant),
    properties,
  };
}

function readProperties(properties: Loose): Record<string, string> {
  return Object.fromEntries(
    Object.entries(properties as object).map(([name, value]) => {
      if (typeof value === 'object' && value !== null) {
        const field = `context.properties.${name}`;
        throw new InvalidRequestError(`${field} must be of type string`, {
          field,
          constraint: 'type',
        });
      }
      return [name, String(value ?? '')];
    }),
  );
}

function assertShort(properties: Readonly<Record<string, string>>): void {
  const length = Object.entries(properties).reduce(
    (sum, [name, value]) => sum + name.length + value.length,
    0,
  );
  if (length > MAX_PROPERTIES) {
    throw new InvalidRequestError(
      `context.properties must not have more than ${MAX_PROPERTIES} characters`,
      { field: 'context.properties', constraint: 'maxLength' },
    );
  }
}
