import {
  InvalidRequestError,
  isJsonObject,
  PayloadTooLargeError,
} from '@slipway/service-kit';
import { v5 as uuidOfName, validate as isUuid } from 'uuid';
import { BATCH_BYTES, MOST_EVENTS } from '../events/AnalyticsEvent.ts';
import { eventCountError } from './sdkRequest.ts';

/** The namespace of uuids derived from log records; generated for this purpose. */
const NAMESPACE = 'b7f2d6f0-5b0c-4a53-9d54-0c4c1a5c7a11';

/** The attributes that identify a person, in order of preference; a session id is anonymous. */
const PERSON_ATTRIBUTES = ['user.id', 'enduser.id', 'session.id'];

/**
 * Maximum characters in the attributes of resources, counted once per record: every event
 * gets a copy.
 */
const MOST_COPIED = 2 * BATCH_BYTES;

type Attributes = Record<string, unknown>;

/**
 * Reads an export of OpenTelemetry's log records, in the JSON encoding of OTLP/HTTP, as
 * events of SDKs. The resource's and the record's attributes become properties under their
 * own names; attributes that this service's pages use are also added under PostHog's names.
 * Source: https://opentelemetry.io/docs/specs/otlp/#otlphttp
 *
 * @returns one event per record; it has no name or person if its record has none.
 * @throws InvalidRequestError if it is not such an export, or has too many records.
 * @throws PayloadTooLargeError if its events would be too large together.
 */
export function readOtlpEvents(body: unknown): Record<string, unknown>[] {
  if (!isJsonObject(body) || !Array.isArray(body.resourceLogs)) {
    throw new InvalidRequestError(
      'The request must contain log records in the JSON encoding of OTLP',
      { field: 'resourceLogs', constraint: 'type' },
    );
  }
  const scopes = objectsIn(body.resourceLogs).flatMap(scopesOf);
  // Counted before anything is copied per record.
  const count = sum(scopes.map(({ records }) => records.length));
  if (count > MOST_EVENTS) {
    throw eventCountError(count);
  }
  if (
    sum(scopes.map(({ size, records }) => size * records.length)) > MOST_COPIED
  ) {
    throw new PayloadTooLargeError(
      'The attributes of the resources are too large for so many records',
      { field: 'resourceLogs' },
    );
  }
  return scopes
    .flatMap(({ shared, origin, records }) =>
      records.map(record => ({ shared, origin, record })),
    )
    .map(({ shared, origin, record }, index) =>
      eventOf(record, {
        attributes: { ...shared, ...attributesOf(record) },
        origin,
        index,
      }),
    );
}

/** Reads the scopes of a resource, each with its records and what they share. */
function scopesOf({ resource, scopeLogs }: Attributes) {
  const shared = isJsonObject(resource) ? attributesOf(resource) : {};
  const size = JSON.stringify(shared).length;
  // Resources and scopes may be long and have many records, so each is hashed only once.
  const resourceId = idOf(resource, NAMESPACE);
  return objectsIn(scopeLogs).map(({ scope, logRecords }) => ({
    shared,
    size,
    origin: idOf(scope, resourceId),
    records: objectsIn(logRecords),
  }));
}

/** Derives the uuid of a value within a namespace. */
function idOf(value: unknown, namespace: string): string {
  return uuidOfName(JSON.stringify([value]), namespace);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}

function eventOf(
  record: Attributes,
  {
    attributes,
    origin,
    index,
  }: {
    attributes: Attributes;
    /** Uuid of its resource and scope. */
    origin: string;
    /** Its position in the export. */
    index: number;
  },
): Record<string, unknown> {
  const person = PERSON_ATTRIBUTES.map(name => attributes[name]);
  const body = valueOf(record.body);
  const uid = attributes['log.record.uid'];
  return {
    event: nameOf(record, attributes),
    distinct_id: person.find(id => id !== undefined),
    // An exporter sends the same records in the same order again if it gets no response.
    uuid: isUuid(uid) ? uid : idOf([uid ?? index, record], origin),
    timestamp:
      instantOf(record.timeUnixNano) ?? instantOf(record.observedTimeUnixNano),
    properties: {
      ...attributes,
      ...(body !== undefined && { body }),
      ...pageOf(attributes['url.full']),
      ...defined({
        $session_id: attributes['session.id'],
        $raw_user_agent: attributes['user_agent.original'],
        $lib: attributes['telemetry.sdk.name'],
        $lib_version: attributes['telemetry.sdk.version'],
      }),
    },
  };
}

/** Returns the name of a record's event: an opened page becomes a page view. */
function nameOf(record: Attributes, attributes: Attributes): unknown {
  // Records of older SDKs have it as an attribute.
  const name = record.eventName || attributes['event.name'];
  const isPageView =
    name === 'browser.navigation' &&
    attributes['browser.navigation.hash_change'] !== true;
  return isPageView ? '$pageview' : name;
}

function pageOf(url: unknown): Attributes {
  const parsed = typeof url === 'string' ? URL.parse(url) : null;
  return parsed
    ? { $current_url: url, $host: parsed.host, $pathname: parsed.pathname }
    : {};
}

function attributesOf({ attributes }: Attributes): Attributes {
  return Object.fromEntries(
    objectsIn(attributes).map(({ key, value }) => [key, valueOf(value)]),
  );
}

/** Converts an AnyValue of OTLP; undefined if it is empty. */
function valueOf(value: unknown): unknown {
  if (!isJsonObject(value)) {
    return undefined;
  }
  const { intValue, arrayValue, kvlistValue } = value;
  if (intValue !== undefined) {
    // 64-bit integers are strings in JSON, and may be too large for a number.
    const number = Number(intValue);
    return Number.isSafeInteger(number) ? number : intValue;
  }
  if (isJsonObject(arrayValue)) {
    return objectsIn(arrayValue.values).map(valueOf);
  }
  if (isJsonObject(kvlistValue)) {
    return attributesOf({ attributes: kvlistValue.values });
  }
  return (
    value.stringValue ??
    value.boolValue ??
    value.doubleValue ??
    value.bytesValue
  );
}

/** Converts nanoseconds since the Unix epoch to ISO 8601; undefined if there are none. */
function instantOf(nanoseconds: unknown): string | undefined {
  const milliseconds = Math.trunc(Number(nanoseconds) / 1e6);
  const date = new Date(milliseconds);
  return milliseconds > 0 && !Number.isNaN(date.getTime())
    ? date.toISOString()
    : undefined;
}

function objectsIn(list: unknown): Attributes[] {
  return Array.isArray(list) ? list.filter(isJsonObject) : [];
}

function defined(values: Attributes): Attributes {
  return Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== undefined),
  );
}
