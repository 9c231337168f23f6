import { isJsonObject } from '@slipway/service-kit';
import { v5 as uuidOf, validate as isUuid } from 'uuid';
import {
  LONGEST_EVENT_NAME,
  parseStorableInstant,
} from '../events/AnalyticsEvent.ts';
import { LONGEST_PERSON_ID } from '../people/PersonChange.ts';
import { parse } from './readExport.ts';

/** An event, as in the body of an import request. */
export interface ImportedEvent {
  readonly uuid: string;
  readonly event: string;
  readonly distinct_id: string;
  readonly timestamp: string;
  readonly created_at?: string;
  readonly properties: Record<string, unknown>;
}

/** An id of a person, as in the body of an import request. */
export interface ImportedPerson {
  readonly distinct_ids: readonly string[];
  readonly properties: Record<string, unknown>;
  readonly is_identified: boolean;
  readonly created_at?: string;
  readonly updated_at?: string;
}

/**
 * The result of converting a row with the parts that are not imported, or why the row
 * cannot be imported.
 */
export type Converted = {
  readonly notes?: readonly Note[];
} & (
  | { readonly kind: 'event'; readonly event: ImportedEvent }
  | { readonly kind: 'person'; readonly person: ImportedPerson }
  | { readonly kind: 'skipped'; readonly reason: string }
);

/** Parts of rows that are not imported. */
type Note = 'person properties at the time of the event';

/** The namespace of uuids for rows without one: the same row always gets the same uuid. */
const NAMESPACE = '0b5f6b53-6c9c-4d3e-9f0c-3c0d4b9f1a55';

/** Converts a row of an event or person that PostHog or this service exported. */
export function convertRow(
  row: Record<string, unknown> | undefined,
  people: PeopleByPerson,
): Converted {
  if (!row) {
    return { kind: 'skipped', reason: 'not a JSON object' };
  }
  return row.event === undefined && (row.person_id ?? row.distinct_ids)
    ? toPerson(row, people)
    : toEvent(row);
}

/** The first id of each PostHog person, to which the person's other ids are added. */
export type PeopleByPerson = Map<string, string>;

function toEvent(row: Record<string, unknown>): Converted {
  const { event, distinct_id: rawId } = row;
  const distinctId = typeof rawId === 'number' ? String(rawId) : rawId;
  if (typeof event !== 'string' || event === '') {
    return { kind: 'skipped', reason: 'no event name' };
  }
  if (typeof distinctId !== 'string' || distinctId === '') {
    return { kind: 'skipped', reason: 'no distinct_id' };
  }
  if (
    event.length > LONGEST_EVENT_NAME ||
    distinctId.length > LONGEST_EVENT_NAME
  ) {
    const reason = `an event name or distinct_id of more than ${LONGEST_EVENT_NAME} characters`;
    return { kind: 'skipped', reason };
  }
  const timestamp = timeOf(row.timestamp);
  if (timestamp === undefined) {
    return { kind: 'skipped', reason: 'no timestamp between 1970 and 2105' };
  }
  const uuid = row.uuid ?? row.id;
  const hasUuid = typeof uuid === 'string' && isUuid(uuid);
  const createdAt = timeOf(row.created_at);
  const notes: Note[] = [
    ...(isEmpty(row.person_properties)
      ? []
      : ['person properties at the time of the event' as const]),
  ];
  return {
    kind: 'event',
    notes,
    event: {
      uuid: hasUuid ? uuid : uuidOf(JSON.stringify(row), NAMESPACE),
      event,
      distinct_id: distinctId,
      timestamp,
      ...(createdAt !== undefined && { created_at: createdAt }),
      properties: propertiesOf(row),
    },
  };
}

/** Columns that SDKs send as properties of the event. */
const AS_PROPERTIES = [
  ['set', '$set'],
  ['set_once', '$set_once'],
  ['elements_chain', '$elements_chain'],
  ['ip', '$ip'],
] as const;

function propertiesOf(row: Record<string, unknown>): Record<string, unknown> {
  const properties = jsonObject(row.properties);
  const added = AS_PROPERTIES.flatMap(([column, name]) => {
    const raw = row[column];
    const value = column.startsWith('set') ? jsonObject(raw) : raw;
    return isEmpty(value) || name in properties ? [] : [[name, value]];
  });
  return added.length === 0
    ? properties
    : { ...properties, ...Object.fromEntries(added) };
}

function toPerson(
  row: Record<string, unknown>,
  people: PeopleByPerson,
): Converted {
  const listed = Array.isArray(row.distinct_ids)
    ? row.distinct_ids
    : [row.distinct_id];
  const ids = listed.filter(
    id => typeof id === 'string' && id !== '' && id.length <= LONGEST_PERSON_ID,
  );
  if (ids.length === 0) {
    return { kind: 'skipped', reason: 'a person without a distinct_id' };
  }
  if (row.is_deleted === true || row.is_deleted === 1) {
    return { kind: 'skipped', reason: 'a deleted person' };
  }
  const personId = typeof row.person_id === 'string' ? row.person_id : ids[0];
  const first = people.get(personId) ?? ids[0];
  people.set(personId, first);
  const createdAt = timeOf(row.created_at);
  const updatedAt = timeOf(row._inserted_at ?? row.updated_at);
  return {
    kind: 'person',
    person: {
      distinct_ids: [...new Set([first, ...ids])],
      properties: jsonObject(row.properties),
      is_identified: row.is_identified === true || row.is_identified === 1,
      ...(createdAt !== undefined && { created_at: createdAt }),
      ...(updatedAt !== undefined && { updated_at: updatedAt }),
    },
  };
}

/** Reads a JSON object, which some formats write as text. */
function jsonObject(value: unknown): Record<string, unknown> {
  const read = typeof value === 'string' ? parse(value) : value;
  return isJsonObject(read) ? read : {};
}

function isEmpty(value: unknown): boolean {
  return (
    value === undefined ||
    value === null ||
    value === '' ||
    value === '{}' ||
    (isJsonObject(value) && Object.keys(value).length === 0)
  );
}

/** Parses a time such as `2026-01-02 03:04:05.123456`, optionally with a `T` or a zone. */
function timeOf(value: unknown): string | undefined {
  if (typeof value !== 'string') {
    return undefined;
  }
  const text = value
    .trim()
    .replace(' ', 'T')
    .replace(/(\.\d{3})\d{1,6}/, '$1')
    .replace(/ ?UTC$/, 'Z');
  const instant = parseStorableInstant(text);
  return instant === undefined ? undefined : new Date(instant).toISOString();
}
