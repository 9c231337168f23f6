import { InvalidRequestError, isJsonObject } from '@slipway/service-kit';
import { v5 as uuidOfName, validate as isUuid } from 'uuid';

/** The namespace of the uuids that are derived from log records, generated for this purpose. */
const NAMESPACE = 'b7f2d6f0-5b0c-4a53-9d54-0c4c1a5c7a11';

/** The attributes that name a person, in order of preference; a session is anonymous. */
const PERSON_ATTRIBUTES = ['user.id', 'enduser.id', 'session.id'];

type Attributes = Record<string, unknown>;

/**
 * Reads an export of OpenTelemetry's log records, in the JSON encoding of OTLP/HTTP, as
 * events of SDKs. The resource's and the record's attributes become properties under their
 * own names; those that pages of this service know get the names of PostHog too.
 * Source: https://opentelemetry.io/docs/specs/otlp/#otlphttp
 *
 * @returns one event per record; without an event name or person if the record has none.
 * @throws InvalidRequestError if it is not such an export.
 */
export function readOtlpEvents(body: unknown): Record<string, unknown>[] {
  if (!isJsonObject(body) || !Array.isArray(body.resourceLogs)) {
    throw new InvalidRequestError(
      'The request must contain log records in the JSON encoding of OTLP',
      { field: 'resourceLogs', constraint: 'type' },
    );
  }
  const records = objectsIn(body.resourceLogs).flatMap(
    ({ resource, scopeLogs }) => {
      const shared = isJsonObject(resource) ? attributesOf(resource) : {};
      return objectsIn(scopeLogs).flatMap(({ scope, logRecords }) =>
        objectsIn(logRecords).map(record => ({ shared, scope, record })),
      );
    },
  );
  return records.map(({ shared, scope, record }, index) =>
    eventOf(record, {
      attributes: { ...shared, ...attributesOf(record) },
      scope,
      index,
    }),
  );
}

function eventOf(
  record: Attributes,
  {
    attributes,
    scope,
    index,
  }: { attributes: Attributes; scope: unknown; index: number },
): Record<string, unknown> {
  const person = PERSON_ATTRIBUTES.map(name => attributes[name]);
  const body = valueOf(record.body);
  const uid = attributes['log.record.uid'];
  return {
    event: nameOf(record, attributes),
    distinct_id: person.find(id => id !== undefined),
    // An exporter sends the same records in the same order again if it gets no response.
    uuid: isUuid(uid)
      ? uid
      : uuidOfName(
          JSON.stringify([uid ?? index, record, attributes, scope]),
          NAMESPACE,
        ),
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

/** Returns the name of a record's event: a page that was opened counts as a page view. */
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
    // Integers of 64 bits are strings in JSON, and may be larger than a number can hold.
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
