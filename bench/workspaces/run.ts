import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import path from 'node:path';
import { openBench, type Bench } from './Bench.ts';
import { createToRunning, manyAtOnce } from './measures/starts.ts';
import { editorPainted } from './measures/editorPainted.ts';
import { listOfThousand } from './measures/listOfThousand.ts';
import { renderTable, type Row } from '../runBench.ts';

// Measures workspaces: `yarn bench:workspaces`. Exits with 1 if a target is missed, for
// use in pipelines.

const measures: readonly ((bench: Bench) => Promise<Row>)[] = [
  listOfThousand,
  createToRunning,
  editorPainted,
  manyAtOnce,
];

const directory = mkdtempSync(path.join(tmpdir(), 'slipway-bench-'));
let opened: Promise<Bench> | undefined;

async function run(): Promise<boolean> {
  console.log('Starting the back end and a first workspace');
  opened = openBench(directory);
  const bench = await opened;
  const rows: Row[] = [];
  for (const measure of measures) {
    console.log(`Measuring ${measure.name}`);
    rows.push(await measure(bench));
  }
  const load = loadavg()[0].toFixed(1);
  console.log(`\n${renderTable(rows)}\n`);
  console.log(`${availableParallelism()} processors, load ${load} at the end`);
  return rows.every(({ met }) => met !== false);
}

/** Ends every process, deletes every file, and exits. */
async function end(exitCode: number): Promise<never> {
  const bench = await opened?.catch(() => undefined);
  await bench?.close();
  rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
  process.exit(exitCode);
}

// Failures after an interrupt are ignored: the shutdown causes them.
let interrupted = false;
function interrupt(exitCode: number): void {
  interrupted = true;
  void end(exitCode);
}
process.once('SIGINT', () => interrupt(130));
process.once('SIGTERM', () => interrupt(143));

void run().then(
  met => end(met ? 0 : 1),
  error => {
    if (!interrupted) {
      console.error(error);
      void end(1);
    }
  },
);
