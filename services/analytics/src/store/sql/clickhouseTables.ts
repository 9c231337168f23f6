/** The database of all tables. */
export const DATABASE = 'analytics';

/**
 * A query with a larger result fails. Lists are not truncated, so without a limit they
 * could contain all events of a project.
 */
export const MAX_RESULT_BYTES = 256 * 1024 * 1024;

/** Returns the settings by which an engine stops when a SELECT has more groups than useful. */
export function groupLimit({
  maxGroups,
}: {
  maxGroups?: number;
}): Record<string, string> {
  return maxGroups === undefined
    ? {}
    : {
        max_rows_to_group_by: String(maxGroups),
        group_by_overflow_mode: 'break',
      };
}

/** The setting that makes a subquery return all its groups, although the outer query may limit them. */
export const ALL_GROUPS = 'max_rows_to_group_by = 0';

/** The tables in queries, for both chDB and ClickHouse. */
export const TABLES = {
  events: `${DATABASE}.events`,
  /** Ids that belong to the person of another id; the newest row of each id applies. */
  personIds: `${DATABASE}.person_ids`,
  /** Properties of persons; the newest row of each person applies. */
  persons: `${DATABASE}.persons`,
  /** Properties of groups; the newest row of each group applies. */
  groups: `${DATABASE}.groups`,
} as const;

/**
 * The expressions by which the engine builds the two maps of an event's properties, which are read without
 * parsing JSON: all properties as text, and the numeric ones as numbers. Where the engine would write a
 * value differently, `mapsOf` builds them. They are written as the engine formats them.
 */
export const MAP_DEFAULTS = {
  texts: `CAST(arrayMap(p -> (p.1, if(startsWith(p.2, '"'), JSONExtractString(p.2), p.2)), arrayFilter(p -> ((p.2) != 'null'), JSONExtractKeysAndValuesRaw(properties))), 'Map(LowCardinality(String), String)')`,
  numbers: `CAST(arrayMap(p -> (p.1, toFloat64(p.2)), arrayFilter(p -> match(p.2, '^[-0-9]'), JSONExtractKeysAndValuesRaw(properties))), 'Map(LowCardinality(String), Float64)')`,
} as const;

const MAPS = `
    properties String CODEC(ZSTD(3)),
    texts Map(LowCardinality(String), String) DEFAULT ${MAP_DEFAULTS.texts} CODEC(ZSTD(3)),
    numbers Map(LowCardinality(String), Float64) DEFAULT ${MAP_DEFAULTS.numbers} CODEC(ZSTD(3))`;

/** Deletes rewritten parts immediately, as erased data must not remain. */
const CLEANED = 'old_parts_lifetime = 1';
const SYNCHRONISED = `fsync_after_insert = 1, fsync_part_directory = 1, ${CLEANED}`;

/** The number of blocks, and of seconds, for which a repeated insert is recognised by its token. */
const REMEMBERED = {
  plain: 'non_replicated_deduplication_window = 10000',
  replicated:
    'replicated_deduplication_window = 10000, replicated_deduplication_window_seconds = 604800',
};

/** The columns that events tables of earlier versions lack, with their definitions. */
const ADDED = {
  journal: 'LowCardinality(String)',
  seq: 'UInt64 CODEC(T64, LZ4)',
} as const;

/** The distribution of tables over machines. */
export interface TableLayout {
  /** Name of the cluster on which every statement runs; a single server if omitted. */
  readonly cluster?: string;
  /** Each shard has several replicas: tables are Replicated. */
  readonly isReplicated?: boolean;
  /** Events are spread over several shards: `events` is Distributed over `events_local`. */
  readonly isDistributed?: boolean;
  /** True if the engine must recognise repeated blocks, as it cannot read the journal. */
  readonly recognisesBlocks?: boolean;
}

/** Returns the table that stores the rows of one of {@link TABLES} on each machine. */
export function storageOf(
  table: string,
  { isDistributed }: TableLayout,
): string {
  return isDistributed && table === TABLES.events ? `${table}_local` : table;
}

/** Returns what follows the table's name in a statement that changes tables. */
export function onCluster({ cluster }: TableLayout): string {
  return cluster === undefined ? '' : ` ON CLUSTER '${cluster}'`;
}

/** Returns a system table, over all machines. */
export function systemTable(name: string, { cluster }: TableLayout): string {
  return cluster === undefined
    ? `system.${name}`
    : `clusterAllReplicas('${cluster}', system.${name})`;
}

/** The statement that returns the definitions of the existing tables. */
export const DEFINITIONS = `SELECT create_table_query FROM system.tables WHERE database = '${DATABASE}'`;

/**
 * Returns the statements that create the tables, which run at each start. Rows are sorted
 * by what queries filter on: project, day, event name. The journal removes duplicates; the
 * engine merges any that get past it. Each part is synced to disk separately, so partitions
 * span long periods to limit the number of parts, whatever the times of events. Every
 * machine has all persons and groups, to join them with its events.
 * @param definitions - the result of {@link DEFINITIONS}, to leave out what changes nothing.
 */
export function schemaOf(
  layout: TableLayout = {},
  definitions?: readonly string[],
): string[] {
  const at = onCluster(layout);
  const events = storageOf(TABLES.events, layout);
  const definitionOf = (table: string) =>
    definitions?.find(each => each.startsWith(`CREATE TABLE ${table} (`));
  const create = (
    table: string,
    options: { columns: string; version: string; order: string; shard: string },
  ) =>
    definitionOf(table) === undefined
      ? [
          `CREATE TABLE IF NOT EXISTS ${table}${at} (${options.columns}
  )
  ENGINE = ${engineOf(table, layout, options)}
  ${options.order}
  SETTINGS ${settingsOf(layout)}`,
        ]
      : [];
  const existing = definitionOf(events);
  const isOutdated =
    existing === undefined ? definitions === undefined : !isCurrent(existing);
  const everywhere = { version: 'version', shard: 'all' };
  return [
    ...(definitions?.length
      ? []
      : [`CREATE DATABASE IF NOT EXISTS ${DATABASE}${at}`]),
    ...create(events, {
      columns: `
    project_id LowCardinality(String),
    uuid UUID,
    event LowCardinality(String),
    distinct_id String,
    timestamp DateTime64(3, 'UTC'),
    created_at DateTime64(3, 'UTC'),${MAPS},
    ${Object.entries(ADDED)
      .map(([column, definition]) => `${column} ${definition}`)
      .join(',\n    ')}`,
      version: 'created_at',
      shard: '{shard}',
      order: `PARTITION BY toYear(timestamp)
  ORDER BY (project_id, toDate(timestamp), event, cityHash64(distinct_id), cityHash64(uuid))`,
    }),
    ...(isOutdated ? changesOf(events, at) : []),
    ...(layout.isDistributed
      ? [
          // All events of an id are on one shard.
          `CREATE TABLE IF NOT EXISTS ${TABLES.events}${at} AS ${events} ENGINE = Distributed('${layout.cluster}', '${DATABASE}', '${nameOf(events)}', sipHash64(distinct_id))`,
        ]
      : []),
    ...create(TABLES.personIds, {
      columns: `
    project_id LowCardinality(String),
    distinct_id String,
    person String,
    version UInt64`,
      order: 'ORDER BY (project_id, distinct_id)',
      ...everywhere,
    }),
    ...create(TABLES.persons, {
      columns: `
    project_id LowCardinality(String),
    person String,
    created_at DateTime64(3, 'UTC'),
    version UInt64,${MAPS}`,
      order: 'ORDER BY (project_id, person)',
      ...everywhere,
    }),
    ...create(TABLES.groups, {
      columns: `
    project_id LowCardinality(String),
    type LowCardinality(String),
    key String,
    created_at DateTime64(3, 'UTC'),
    version UInt64,${MAPS}`,
      order: 'ORDER BY (project_id, type, key)',
      ...everywhere,
    }),
  ];
}

/** Returns the statements that add to a table of an earlier version what it lacks. */
function changesOf(table: string, at: string): string[] {
  return [
    `ALTER TABLE ${table}${at} ${[
      ...Object.entries(MAP_DEFAULTS).map(
        ([column, value]) => `MODIFY COLUMN ${column} DEFAULT ${value}`,
      ),
      ...Object.entries(ADDED).map(
        ([column, definition]) =>
          `ADD COLUMN IF NOT EXISTS ${column} ${definition}`,
      ),
    ].join(', ')}`,
    `ALTER TABLE ${table}${at} MODIFY SETTING ${CLEANED}`,
  ];
}

/** Checks whether a table's definition has everything that {@link changesOf} would add. */
function isCurrent(definition: string): boolean {
  return [
    ...Object.entries(ADDED).map(([column, type]) => `\`${column}\` ${type}`),
    ...Object.values(MAP_DEFAULTS).map(value => ` DEFAULT ${value} `),
    CLEANED,
  ].every(part => definition.includes(part));
}

function nameOf(table: string): string {
  return table.slice(DATABASE.length + 1);
}

/**
 * @param of.shard - the shard, whose machines all have the same rows; `all` if every
 *   machine has them.
 */
function engineOf(
  table: string,
  { isReplicated }: TableLayout,
  of: { version: string; shard: string },
): string {
  if (!isReplicated) {
    return `ReplacingMergeTree(${of.version})`;
  }
  const replica = of.shard === 'all' ? '{shard}-{replica}' : '{replica}';
  return `ReplicatedReplacingMergeTree('/clickhouse/tables/${of.shard}/${DATABASE}/${nameOf(
    table,
  )}', '${replica}', ${of.version})`;
}

function settingsOf({ isReplicated, recognisesBlocks }: TableLayout): string {
  return [
    SYNCHRONISED,
    ...(recognisesBlocks
      ? [isReplicated ? REMEMBERED.replicated : REMEMBERED.plain]
      : []),
  ].join(', ');
}
