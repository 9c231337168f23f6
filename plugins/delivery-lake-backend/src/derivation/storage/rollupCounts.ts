import type { Knex } from 'knex';
import { DayChange } from './countDays';
import {
  COUNT_COLUMNS,
  DayCounts,
  noCounts,
  subtractCounts,
} from './DayCounts';
import { queryRows, recordTable } from './recordTable';

/** The service that is all of them together. */
const EVERYTHING = 0;

const REVISION_KEY = 'derivation_revision';
const ROWS_PER_STATEMENT = 5_000;

type CountRow = DayCounts & { service_id: number; day: number };

const KEY = { service_id: 'integer', day: 'integer' } as const;
const COUNTS = Object.fromEntries(
  COUNT_COLUMNS.map(column => [column, 'integer']),
) as Record<keyof DayCounts, 'integer'>;

/** A number that was never given out before. */
async function nextRevision(trx: Knex.Transaction): Promise<number> {
  const [row] = await queryRows<{ value: string }>(
    trx,
    `INSERT INTO lake_settings (key, value) VALUES (?, '1')
     ON CONFLICT (key) DO UPDATE SET value = CAST(CAST(lake_settings.value AS bigint) + 1 AS text)
     RETURNING value`,
    [REVISION_KEY],
  );
  return Number(row.value);
}

/** Rows of services since a day each, and of single days. */
export async function loadCounts(
  trx: Knex.Transaction,
  since: readonly { serviceId: number; day: number }[],
  single: readonly { serviceId: number; day: number }[],
): Promise<Map<number, Map<number, DayCounts>>> {
  const toRecord = ({
    serviceId,
    day,
  }: {
    serviceId: number;
    day: number;
  }) => ({
    service_id: serviceId,
    day,
  });
  const columns = COUNT_COLUMNS.map(column => `c.${column}`).join(', ');
  const counts = new Map<number, Map<number, DayCounts>>();
  for (const [records, operator] of [
    [since, '>='],
    [single, '='],
  ] as const) {
    const list = recordTable(trx, 'r', KEY, records.map(toRecord));
    const rows = await queryRows<CountRow>(
      trx,
      `SELECT c.service_id, c.day, ${columns} FROM ${list.sql} CROSS JOIN rollup_counts c
       WHERE c.service_id = r.service_id AND c.day ${operator} r.day`,
      list.bindings,
    );
    for (const { service_id, day, ...dayCounts } of rows) {
      const known = counts.get(service_id) ?? new Map<number, DayCounts>();
      counts.set(service_id, known.set(day, dayCounts));
    }
  }
  return counts;
}

async function upsert(
  trx: Knex.Transaction,
  rows: readonly CountRow[],
  options: { revision: number; isAdded: boolean },
): Promise<void> {
  const { revision, isAdded } = options;
  const names = ['service_id', 'day', ...COUNT_COLUMNS].join(', ');
  const updates = COUNT_COLUMNS.map(column =>
    isAdded
      ? `${column} = rollup_counts.${column} + excluded.${column}`
      : `${column} = excluded.${column}`,
  ).join(', ');
  for (let start = 0; start < rows.length; start += ROWS_PER_STATEMENT) {
    const list = recordTable(
      trx,
      'r',
      { ...KEY, ...COUNTS },
      rows.slice(start, start + ROWS_PER_STATEMENT),
    );
    await trx.raw(
      `INSERT INTO rollup_counts (${names}, revision)
       SELECT ${names}, ${revision} FROM ${list.sql} WHERE true
       ON CONFLICT (service_id, day) DO UPDATE SET ${updates}, revision = excluded.revision`,
      list.bindings,
    );
  }
}

/** Writes the days of services, and adds what they changed to those of everything. */
export async function writeCounts(
  trx: Knex.Transaction,
  changes: readonly DayChange[],
): Promise<void> {
  if (changes.length === 0) {
    return;
  }
  const together = new Map<number, DayCounts>();
  for (const { day, before, after } of changes) {
    const sum = together.get(day) ?? noCounts();
    const difference = subtractCounts(after, before);
    for (const column of COUNT_COLUMNS) {
      sum[column] += difference[column];
    }
    together.set(day, sum);
  }
  const revision = await nextRevision(trx);
  await upsert(
    trx,
    changes.map(({ serviceId, day, after }) => ({
      ...after,
      service_id: serviceId,
      day,
    })),
    { revision, isAdded: false },
  );
  await upsert(
    trx,
    [...together].map(([day, counts]) => ({
      ...counts,
      service_id: EVERYTHING,
      day,
    })),
    { revision, isAdded: true },
  );
}

/** Sums the days of everything together up anew, and gives all of them a new revision. */
export async function sumCountsAnew(trx: Knex.Transaction): Promise<void> {
  const revision = await nextRevision(trx);
  const sums = COUNT_COLUMNS.map(column => `SUM(${column})`).join(', ');
  const updates = COUNT_COLUMNS.map(
    column => `${column} = excluded.${column}`,
  ).join(', ');
  await trx('rollup_counts')
    .where('service_id', EVERYTHING)
    .update({
      ...noCounts(),
      revision,
    });
  await trx.raw(
    `INSERT INTO rollup_counts (service_id, day, ${COUNT_COLUMNS.join(
      ', ',
    )}, revision)
     SELECT ${EVERYTHING}, day, ${sums}, ${revision} FROM rollup_counts
     WHERE service_id <> ${EVERYTHING} GROUP BY day
     ON CONFLICT (service_id, day) DO UPDATE SET ${updates}, revision = excluded.revision`,
  );
}
