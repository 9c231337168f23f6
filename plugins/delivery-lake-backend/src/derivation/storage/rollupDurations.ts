import type { Knex } from 'knex';
import { LocalDays } from '../LocalDays';
import { queryRows, recordTable } from './recordTable';
import { bucketOf, DurationRow } from './toDurations';

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

/** Samples by kind, period and bucket. */
class Histogram {
  readonly #cells = new Map<string, Cell>();

  constructor(private readonly days: LocalDays) {}

  /** Adds to the day and to the month of a moment. */
  add(
    sample: { kind: number; endedAt: number; bucket: number },
    count: number,
  ): void {
    const day = this.days.dayOf(sample.endedAt);
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
  const size = 10_000;
  for (let start = 0; start < cells.length; start += size) {
    const list = recordTable(
      trx,
      'r',
      CELL,
      cells.slice(start, start + size).map(cell => ({ ...cell })),
    );
    await trx.raw(
      `INSERT INTO rollup_durations (kind, period, bucket, samples)
       SELECT kind, period, bucket, samples FROM ${list.sql} WHERE true
       ON CONFLICT (kind, period, bucket) DO UPDATE SET samples = rollup_durations.samples + excluded.samples`,
      list.bindings,
    );
  }
}

/** Takes durations off the histograms of everything, and puts others on. */
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

/** Makes the histograms anew from all durations. */
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
    ended_at: string | number;
    samples: string | number;
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
