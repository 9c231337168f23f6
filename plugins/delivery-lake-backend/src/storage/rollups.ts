import type { Knex } from 'knex';
import { bucketOf, DurationRow } from '../derivation/compareDerived';
import { DayChange, LocalDays, subtractCounts } from '../derivation/dayCounts';
import {
  COUNT_FIELDS,
  Counts,
  noCounts,
  sumCounts,
} from '../derivation/Counts';
import { batchesOf, type BigInteger, queryRows, recordTable } from './BatchSql';
import { COUNT_COLUMN, COUNT_COLUMNS, EVERYTHING } from './metricCounts';

const REVISION_KEY = 'derivation_revision';

/** The counts of a service on a day (a number like 20261121). */
type CountRow = Counts & { service_id: number; day: number };

const KEY = { service_id: 'integer', day: 'integer' } as const;
const ROW = {
  ...KEY,
  ...Object.fromEntries(
    COUNT_COLUMNS.map(column => [column, 'integer'] as const),
  ),
};

/** Converts counts to columns. */
function toColumns(counts: Counts): Record<string, number> {
  return Object.fromEntries(
    COUNT_FIELDS.map(field => [COUNT_COLUMN[field], counts[field]]),
  );
}

/** Returns a revision that was never used before. */
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

/** Loads rows of services, each since a day, and of single days. */
export async function loadCounts(
  trx: Knex.Transaction,
  since: readonly { serviceId: number; day: number }[],
  single: readonly { serviceId: number; day: number }[],
): Promise<Map<number, Map<number, Counts>>> {
  const toRecord = (each: { serviceId: number; day: number }) => ({
    service_id: each.serviceId,
    day: each.day,
  });
  const columns = COUNT_FIELDS.map(
    field => `c.${COUNT_COLUMN[field]} AS "${field}"`,
  ).join(', ');
  const counts = new Map<number, Map<number, Counts>>();
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
      const known = counts.get(service_id) ?? new Map<number, Counts>();
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
  for (const batch of batchesOf(rows)) {
    const records = batch.map(row => ({
      ...toColumns(row),
      service_id: row.service_id,
      day: row.day,
    }));
    const list = recordTable(trx, 'r', ROW, records);
    await trx.raw(
      `INSERT INTO rollup_counts (${names}, revision)
       SELECT ${names}, ${revision} FROM ${list.sql} WHERE true
       ON CONFLICT (service_id, day) DO UPDATE SET ${updates}, revision = excluded.revision`,
      list.bindings,
    );
  }
}

/** Writes the counts of services on days, and adds the differences to the totals. */
export async function writeCounts(
  trx: Knex.Transaction,
  changes: readonly DayChange[],
): Promise<void> {
  if (changes.length === 0) {
    return;
  }
  const together = new Map<number, Counts>();
  for (const { day, before, after } of changes) {
    together.set(
      day,
      sumCounts([
        together.get(day) ?? noCounts(),
        subtractCounts(after, before),
      ]),
    );
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

/** Recomputes the totals of all days, with a new revision. */
export async function sumCountsAnew(trx: Knex.Transaction): Promise<void> {
  const revision = await nextRevision(trx);
  const sums = COUNT_COLUMNS.map(column => `SUM(${column})`).join(', ');
  const updates = COUNT_COLUMNS.map(
    column => `${column} = excluded.${column}`,
  ).join(', ');
  await trx('rollup_counts')
    .where('service_id', EVERYTHING)
    .update({ ...toColumns(noCounts()), revision });
  await trx.raw(
    `INSERT INTO rollup_counts (service_id, day, ${COUNT_COLUMNS.join(
      ', ',
    )}, revision)
     SELECT ${EVERYTHING}, day, ${sums}, ${revision} FROM rollup_counts
     WHERE service_id <> ${EVERYTHING} GROUP BY day
     ON CONFLICT (service_id, day) DO UPDATE SET ${updates}, revision = excluded.revision`,
  );
}

const DAY_MS = 24 * 3_600_000;

const CELL = {
  kind: 'integer',
  period: 'integer',
  bucket: 'integer',
  samples: 'integer',
} as const;

interface Cell {
  kind: number;
  period: number;
  bucket: number;
  samples: number;
}

/** Counts samples by kind, period and bucket. */
class Histogram {
  readonly #cells = new Map<string, Cell>();
  readonly #days: LocalDays;

  constructor(days: LocalDays) {
    this.#days = days;
  }

  /** Adds samples to the day and the month of a moment. */
  add(
    sample: { kind: number; endedAt: number; bucket: number },
    count: number,
  ): void {
    const day = this.#days.dayOf(sample.endedAt);
    for (const period of [day, LocalDays.monthOf(day)]) {
      const key = `${sample.kind} ${period} ${sample.bucket}`;
      const cell = this.#cells.get(key);
      if (cell) {
        cell.samples += count;
      } else {
        this.#cells.set(key, {
          kind: sample.kind,
          period,
          bucket: sample.bucket,
          samples: count,
        });
      }
    }
  }

  cells(): Cell[] {
    return [...this.#cells.values()].filter(({ samples }) => samples !== 0);
  }
}

async function addCells(trx: Knex.Transaction, cells: readonly Cell[]) {
  for (const batch of batchesOf(cells)) {
    const list = recordTable(
      trx,
      'r',
      CELL,
      batch.map(cell => ({ ...cell })),
    );
    await trx.raw(
      `INSERT INTO rollup_durations (kind, period, bucket, samples)
       SELECT kind, period, bucket, samples FROM ${list.sql} WHERE true
       ON CONFLICT (kind, period, bucket) DO UPDATE SET samples = rollup_durations.samples + excluded.samples`,
      list.bindings,
    );
  }
}

/** Subtracts durations from the total histograms and adds others. */
export async function writeHistograms(
  trx: Knex.Transaction,
  days: LocalDays,
  changes: { removed: readonly DurationRow[]; added: readonly DurationRow[] },
): Promise<void> {
  const histogram = new Histogram(days);
  for (const [rows, sign] of [
    [changes.removed, -1],
    [changes.added, 1],
  ] as const) {
    for (const row of rows) {
      const bucket = bucketOf(row);
      if (bucket !== null) {
        histogram.add({ kind: row.kind, endedAt: row.endedAt, bucket }, sign);
      }
    }
  }
  await addCells(trx, histogram.cells());
}

/** Recomputes the histograms from all durations. */
export async function sumHistogramsAnew(
  trx: Knex.Transaction,
  days: LocalDays,
): Promise<void> {
  const span = await trx('durations')
    .min({ from: 'ended_at' })
    .max({ to: 'ended_at' })
    .first();
  await trx('rollup_durations').delete();
  if (!span || span.from === null) {
    return;
  }
  const offsets = days.offsetsBetween(Number(span.from), Number(span.to));
  const offset = offsets.reduceRight(
    (otherwise, each) =>
      each.until === Infinity
        ? `${each.offset}`
        : `CASE WHEN ended_at < ${each.until} THEN ${each.offset} ELSE ${otherwise} END`,
    '',
  );
  const rows = await queryRows<{
    kind: number;
    bucket: number;
    ended_at: BigInteger;
    samples: BigInteger;
  }>(
    trx,
    `SELECT kind, bucket, MIN(ended_at) AS ended_at, COUNT(*) AS samples FROM durations
     WHERE bucket IS NOT NULL GROUP BY kind, bucket, (ended_at + ${offset}) / ${DAY_MS}`,
    [],
  );
  const histogram = new Histogram(days);
  for (const { kind, bucket, ended_at: endedAt, samples } of rows) {
    histogram.add({ kind, endedAt: Number(endedAt), bucket }, Number(samples));
  }
  await addCells(trx, histogram.cells());
}
