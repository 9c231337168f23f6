import type { Database } from '@slipway/service-kit';
import type { Profile } from '../Profile.ts';

type Knex = Database['knex'];

interface VersionedRow {
  readonly project_id: string;
  readonly version: number | string;
}

/** A row of `persons`. */
export interface PersonRow extends VersionedRow {
  readonly person: string;
  readonly created_at: number | string;
  readonly last_seen_at: number | string;
  readonly is_identified: boolean | number;
  readonly properties: string;
  readonly times: string;
}

/** A row of `person_ids`. */
export interface IdRow extends VersionedRow {
  readonly distinct_id: string;
  readonly person: string;
}

/** A row of `person_groups`. */
export interface GroupRow extends VersionedRow {
  readonly type: string;
  readonly key: string;
  readonly created_at: number | string;
  readonly properties: string;
  readonly times: string;
}

/** The key columns of rows within one version. */
const KEYS = {
  persons: ['project_id', 'person'],
  person_ids: ['project_id', 'distinct_id'],
  person_groups: ['project_id', 'type', 'key'],
} as const;

/** Maximum rows of the tables above that one statement reads or writes. */
export const CHUNK = 500;

const PORTION = 5_000;

/** Reads the rows of a range of versions (start exclusive, end inclusive), in batches. */
export async function* rowsAfter<Row extends VersionedRow>(
  knex: Knex,
  table: keyof typeof KEYS,
  { after, upTo }: { after: number; upTo: number },
): AsyncGenerator<Row[]> {
  const columns = ['version', ...KEYS[table]];
  let last: (string | number)[] | undefined;
  for (;;) {
    const place = last;
    const rows: Row[] = await knex(table)
      .where('version', '>', after)
      .where('version', '<=', upTo)
      .where(query => {
        if (place) {
          void query.whereRaw(
            `(${columns.map(() => '??').join(', ')}) > (${columns
              .map(() => '?')
              .join(', ')})`,
            [...columns, ...place],
          );
        }
      })
      .orderBy(columns)
      .limit(PORTION);
    if (rows.length === 0) {
      return;
    }
    yield rows;
    const end = rows[rows.length - 1] as unknown as Record<string, string>;
    last = columns.map(column => end[column]);
  }
}

/** Reads a profile from the columns of a row. */
export function toProfile(row: { properties: string; times: string }): Profile {
  return {
    properties: JSON.parse(row.properties),
    times: JSON.parse(row.times),
  };
}

/** Converts a profile to columns. */
export function toColumns({ properties, times }: Profile): {
  properties: string;
  times: string;
} {
  return {
    properties: JSON.stringify(properties),
    times: JSON.stringify(times),
  };
}
