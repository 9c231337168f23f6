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
  /** The columns with event properties that the statement reads. */
  readonly wide: ReadonlySet<WideColumn>;
  readonly readsPerson: boolean;
  /** False if every person of the project has one id. */
  readonly hasSharedIds?: boolean;
  /** The project's group types, by their numbers. */
  readonly groupTypes: readonly string[];
}

const NARROW_COLUMNS = [
  'project_id',
  'uuid',
  'event',
  'distinct_id',
  'timestamp',
  'created_at',
];
const WIDE_COLUMNS = ['properties', 'texts', 'numbers'] as const;

/** A column with all properties of an event; reading it takes longer than all other columns together. */
export type WideColumn = (typeof WIDE_COLUMNS)[number];

/**
 * Writes the source of the events to read, joined with persons and groups: events up to a
 * position of the journal come from the columns, and later ones from the journal.
 */
export function writeSource(scope: SourceScope, needs: SourceNeeds): string {
  const { view, wide } = needs;
  const names = [
    ...NARROW_COLUMNS,
    ...WIDE_COLUMNS.filter(name => wide.has(name)),
  ];
  const events = view ? eventsOf(scope, view, names) : TABLES.events;
  const joins = joinsOf(scope, needs);
  if (joins.length === 0) {
    return events;
  }
  const columns = [
    // Joined tables have columns with the same names.
    ...names.map(name => `e.${name} AS ${name}`),
    ...joins.flatMap(({ select }) => select),
  ];
  return [
    `(SELECT ${columns.join(', ')} FROM ${events} AS e`,
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

function eventsOf(
  scope: SourceScope,
  view: StoreView,
  names: readonly string[],
): string {
  const { journal, boundary, upTo, mayBeMoved } = view;
  const read = names.join(', ');
  const columns = mayBeMoved
    ? `(SELECT ${read} FROM ${TABLES.events} WHERE NOT (journal = ${clickhouseValue(
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
  return `(SELECT ${read} FROM ${columns} UNION ALL SELECT ${read} FROM ${waitingEvents(
    { journal, first: boundary + 1, last: upTo },
    { names, conditions },
  )})`;
}

const readMap = (name: keyof typeof MAP_DEFAULTS) =>
  `JSONExtract(ifNull(maps, ''), '${name}', 'Map(LowCardinality(String), String)')`;

/** The expressions that read each column from the journal's table. */
const JOURNAL_COLUMNS = {
  project_id: 'toLowCardinality(project_id)',
  uuid: 'toUUID(uuid)',
  event: 'toLowCardinality(event)',
  distinct_id: 'distinct_id',
  timestamp: "fromUnixTimestamp64Milli(timestamp, 'UTC')",
  created_at: "fromUnixTimestamp64Milli(created_at, 'UTC')",
  properties: 'properties',
  texts: `if(isNull(maps), ${MAP_DEFAULTS.texts}, ${readMap('texts')})`,
  numbers: `if(isNull(maps), ${MAP_DEFAULTS.numbers}, CAST(mapApply((name, value) -> (name, toFloat64(value)), ${readMap(
    'numbers',
  )}), 'Map(LowCardinality(String), Float64)'))`,
  seq: 'toUInt64(assumeNotNull(seq))',
};

/**
 * Writes a table expression for the events in a range of the journal, with columns of the events
 * table. The engine itself reads the journal's file.
 * @param options.conditions - on the journal's own columns. ClickHouse passes them to SQLite without
 *   escaping text safely, so they must not contain text from users.
 */
function waitingEvents(
  range: { journal: StoreView['journal']; first: number; last: number },
  options: { names: readonly string[]; conditions?: readonly string[] },
): string {
  const { journal, first, last } = range;
  const { names, conditions = [] } = options;
  const written: Readonly<Record<string, string>> = {
    ...JOURNAL_COLUMNS,
    journal: `toLowCardinality(${clickhouseValue(journal.id)})`,
  };
  const rows = `SELECT * FROM sqlite(${clickhouseValue(
    journal.filename,
  )}, 'events') WHERE ${[
    `seq >= ${first}`,
    `seq <= ${last}`,
    ...conditions,
  ].join(' AND ')}`;
  return `(SELECT ${names
    .map(name => `${written[name]} AS ${name}`)
    .join(', ')} FROM (${rows}))`;
}

const MOVED_COLUMNS = [...NARROW_COLUMNS, ...WIDE_COLUMNS, 'journal', 'seq'];

/**
 * Writes the INSERT that moves a range of the journal to the columns.
 * @param options.isRepeated - true if part of the range may already be in the columns.
 */
export function moveStatement(
  range: Parameters<typeof waitingEvents>[0],
  { isRepeated }: { isRepeated: boolean },
): string {
  const moved = MOVED_COLUMNS.join(', ');
  const rows = waitingEvents(range, { names: MOVED_COLUMNS });
  const bounds = ['timestamp', 'created_at'].flatMap(column => [
    `${column} >= (SELECT min(${column}) FROM ${rows})`,
    `${column} <= (SELECT max(${column}) FROM ${rows})`,
  ]);
  return [
    `INSERT INTO ${TABLES.events} (${moved})`,
    `SELECT ${moved} FROM ${rows}`,
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
