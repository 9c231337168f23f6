import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { readCount } from '../arguments.ts';
import { duration, type Row, runBench } from '../runBench.ts';
import { DevPlatform } from './DevPlatform.ts';

// Measures the resources of an idle platform on a development machine: `yarn
// bench:platform`. Exits with 1 if a target is missed. Requires Linux.

const MEMORY_TARGET = 2.5e9;
const START_TARGET_MS = 40_000;

const stateDirectory = path.resolve(
  import.meta.dirname,
  '../../.data/bench/platform',
);

async function measure(): Promise<Row[]> {
  const { values } = parseArgs({ options: { idle: { type: 'string' } } });
  const idleSeconds = readCount('idle', values.idle ?? '60');
  rmSync(stateDirectory, { recursive: true, force: true });
  mkdirSync(stateDirectory, { recursive: true });

  // The first start builds the pages, creates the databases, and fills the caches for a
  // warm start.
  const firstMs = await run(platform => platform.untilReady());
  return run(async platform => {
    const warmMs = await platform.untilReady();
    await sleep(idleSeconds * 1_000);
    return [
      { ...rowOf('first start'), measured: duration(firstMs) },
      {
        ...rowOf('warm start'),
        target: duration(START_TARGET_MS),
        measured: duration(warmMs),
        met: warmMs <= START_TARGET_MS,
      },
      ...memoryRows(platform.memory(), idleSeconds),
    ];
  });
}

async function run<T>(task: (platform: DevPlatform) => Promise<T>): Promise<T> {
  const platform = await DevPlatform.start(stateDirectory);
  try {
    return await task(platform);
  } finally {
    await platform.stop();
  }
}

function memoryRows(memory: Map<string, number>, idleSeconds: number): Row[] {
  const total = [...memory.values()].reduce((sum, one) => sum + one, 0);
  return [
    ...[...memory]
      .sort(([, one], [, other]) => other - one)
      .map(([part, bytes]) => ({
        ...rowOf(`memory of ${part}`),
        measured: megabytes(bytes),
      })),
    {
      ...rowOf(`memory in all, idle for ${idleSeconds} s`),
      target: megabytes(MEMORY_TARGET),
      measured: megabytes(total),
      met: total <= MEMORY_TARGET,
    },
  ];
}

/** Creates a row without a target. */
function rowOf(what: string): Row {
  return { what, target: '-', measured: '', beside: '-', met: null };
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1e6)} MB`;
}

runBench(measure);
