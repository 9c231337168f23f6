import type { StoreView } from '../ColumnStore.ts';
import { MAP_DEFAULTS, TABLES } from './clickhouseTables.ts';
import {
  GROUP_OWNERS,
  type PropertyOwner,
} from '../../query/language/Expression.ts';
import { clickhouseValue } from './clickhouseValue.ts';
import type { SourceScope } from './Dialect.ts';

/** The data that a statement reads in addition to events. */
interface SourceNeeds {
  readonly view?: StoreView;
  readonly owners: ReadonlySet<PropertyOwner>;
  readonly readsPerson: boolean;
  /** False if every person of the project has one id. */
  readonly hasSharedIds?: boolean;
  /** The project's group types, by their numbers. */
  readonly groupTypes: readonly string[];
}

const COLUMNS =
  'project_id, uuid, event, distinct_id, timestamp, created_at, properties, texts, numbers';
/** The columns of events, qualified because joined tables have columns with the same names. */
const EVENT_COLUMNS = COLUMNS.split(', ').map(name => `e.${name} AS ${name}`);

/**
 * Writes the source of the events to read, joined with persons and groups: events up to a
 * position of the journal come from the columns, and later ones from the journal.
 */
export function writeSource(scope: SourceScope, needs: SourceNeeds): string {
  const { view } = needs;
  const events = view ? eventsOf(scope, view) : TABLES.events;
  const joins = joinsOf(scope, needs);
  if (joins.length === 0) {
    return events;
  }
  const columns = joins.flatMap(({ select }) => select);
  return [
    `(SELECT ${[...EVENT_COLUMNS, ...columns].join(', ')} FROM ${events} AS e`,
    ...joins.map(({ from }) => from),
    ')',
  ].join(' ');
}

/** Writes the source of the profiles of a project's people, each in its latest version. */
export function writePersons(projectId: string): string {
  // If no person of the project has several ids, queries read `distinct_id` instead of `person`.
  return `(SELECT person, person AS distinct_id, texts AS person_texts, numbers AS person_numbers FROM ${
    TABLES.persons
  } FINAL WHERE project_id = ${clickhouseValue(projectId)})`;
}

/**
 * Project ids that need no escaping in any dialect; with other ids, only the outer
 * statement filters by project.
 */
const PLAIN_ID = /^[\w.-]+$/;

function eventsOf(scope: SourceScope, view: StoreView): string {
  const { journal, boundary, upTo, mayBeMoved } = view;
  const columns = mayBeMoved
    ? `(SELECT ${COLUMNS} FROM ${TABLES.events} WHERE NOT (journal = ${clickhouseValue(
        journal.id,
      )} AND seq > ${boundary}))`
    : TABLES.events;
  if (boundary === upTo) {
    return columns;
  }
  const conditions = [
    ...(PLAIN_ID.test(scope.projectId)
      ? [`project_id = '${scope.projectId}'`]
      : []),
    ...(scope.after === undefined
      ? []
      : [`timestamp > ${clickhouseValue(scope.after)}`]),
    `timestamp < ${clickhouseValue(scope.before)}`,
  ];
  return `(SELECT ${COLUMNS} FROM ${columns} UNION ALL SELECT ${COLUMNS} FROM ${waitingEvents(
    { journal, first: boundary + 1, last: upTo },
    conditions,
  )})`;
}

/**
 * Writes the events in a range of the journal as a table with the columns of the events
 * table: the engine reads the file itself.
 * @param conditions - on the journal's own columns. They are passed to SQLite, for which
 *   ClickHouse does not escape text safely, so they must not contain text from users.
 */
export function waitingEvents(
  range: { journal: StoreView['journal']; first: number; last: number },
  conditions: readonly string[] = [],
): string {
  const { journal, first, last } = range;
  const read = (name: keyof typeof MAP_DEFAULTS) =>
    `JSONExtract(ifNull(maps, ''), '${name}', 'Map(LowCardinality(String), String)')`;
  const rows = `SELECT * FROM sqlite(${clickhouseValue(
    journal.filename,
  )}, 'events') WHERE ${[
    `seq >= ${first}`,
    `seq <= ${last}`,
    ...conditions,
  ].join(' AND ')}`;
  return `(SELECT ${[
    'toLowCardinality(project_id) AS project_id',
    'toUUID(uuid) AS uuid',
    'toLowCardinality(event) AS event',
    'distinct_id',
    "fromUnixTimestamp64Milli(timestamp, 'UTC') AS timestamp",
    "fromUnixTimestamp64Milli(created_at, 'UTC') AS created_at",
    'properties',
    `if(isNull(maps), ${MAP_DEFAULTS.texts}, ${read('texts')}) AS texts`,
    `if(isNull(maps), ${MAP_DEFAULTS.numbers}, CAST(mapApply((name, value) -> (name, toFloat64(value)), ${read(
      'numbers',
    )}), 'Map(LowCardinality(String), Float64)')) AS numbers`,
    `toLowCardinality(${clickhouseValue(journal.id)}) AS journal`,
    'toUInt64(assumeNotNull(seq)) AS seq',
  ].join(', ')} FROM (${rows}))`;
}

const MOVED_COLUMNS = `${COLUMNS}, journal, seq`;

/**
 * Writes the INSERT that moves a range of the journal to the columns.
 * @param options.isRepeated - true if part of the range may already be in the columns.
 */
export function moveStatement(
  range: Parameters<typeof waitingEvents>[0],
  { isRepeated }: { isRepeated: boolean },
): string {
  const rows = waitingEvents(range);
  const bounds = ['timestamp', 'created_at'].flatMap(column => [
    `${column} >= (SELECT min(${column}) FROM ${rows})`,
    `${column} <= (SELECT max(${column}) FROM ${rows})`,
  ]);
  return [
    `INSERT INTO ${TABLES.events} (${MOVED_COLUMNS})`,
    `SELECT ${MOVED_COLUMNS} FROM ${rows}`,
    ...(isRepeated
      ? [
          `WHERE (project_id, uuid) NOT IN (SELECT project_id, uuid FROM ${
            TABLES.events
          } WHERE ${bounds.join(' AND ')})`,
        ]
      : []),
    // Events may be from any year; a limit would let one sender block all pending events.
    'SETTINGS async_insert = 0, max_partitions_per_insert_block = 0',
  ].join(' ');
}

interface Join {
  readonly from: string;
  readonly select: readonly string[];
}

/**
 * Writes the key of an event's group as text, even if it is a number; empty if the event
 * has no such group.
 * @param texts - the map of the event's properties.
 * @param type - of the group; undefined if the project has no such type.
 */
export function groupKey(texts: string, type = ''): string {
  const place = `${texts}['$groups'], ${clickhouseValue(type)}`;
  return `if(toString(JSONType(${place})) IN ('String', 'Int64', 'UInt64', 'Double'), JSONExtract(${place}, 'String'), '')`;
}

function joinsOf(
  { projectId }: SourceScope,
  { owners, readsPerson, groupTypes, hasSharedIds = true }: SourceNeeds,
): Join[] {
  const project = `project_id = ${clickhouseValue(projectId)}`;
  const joins: Join[] = [];
  const person = hasSharedIds
    ? "if(o.person = '', e.distinct_id, o.person)"
    : 'e.distinct_id';
  if (hasSharedIds && (readsPerson || owners.has('person'))) {
    joins.push({
      from: `LEFT ANY JOIN (SELECT distinct_id, person FROM ${TABLES.personIds} FINAL WHERE ${project}) AS o ON e.distinct_id = o.distinct_id`,
      select: [`${person} AS person`],
    });
  }
  if (owners.has('person')) {
    joins.push({
      from: `LEFT ANY JOIN (SELECT person, texts, numbers FROM ${TABLES.persons} FINAL WHERE ${project}) AS p ON ${person} = p.person`,
      select: ['p.texts AS person_texts', 'p.numbers AS person_numbers'],
    });
  }
  for (const [index, owner] of GROUP_OWNERS.entries()) {
    if (owners.has(owner)) {
      const type = clickhouseValue(groupTypes[index] ?? '');
      const g = `g${index}`;
      joins.push({
        from: `LEFT ANY JOIN (SELECT key, texts, numbers FROM ${TABLES.groups} FINAL WHERE ${project} AND type = ${type}) AS ${g} ON ${groupKey(
          'e.texts',
          groupTypes[index],
        )} = ${g}.key`,
        select: [
          `${g}.texts AS ${owner}_texts`,
          `${g}.numbers AS ${owner}_numbers`,
        ],
      });
    }
  }
  return joins;
}
