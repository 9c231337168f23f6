import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { readCount } from '../arguments.ts';
import { BenchPostgres } from '../BenchPostgres.ts';
import { duration, type Row, runBench } from '../runBench.ts';
import type { RunningServer } from '../startServer.ts';
import {
  featureCells,
  measureCell,
  metricsCells,
  type Servers,
} from './cells.ts';
import { createBenchFlags } from './createBenchFlags.ts';
import { startBare, startService, startUnleash, TOKENS } from './servers.ts';

// Measures response times for SDKs: `yarn bench:feature-flags`; `--unleash` adds the Unleash
// server. Exits with 1 if a target is missed, for use in pipelines.

const START_GOAL_MS = 1_000;
const STARTS = 3;
const IDLE_GOAL_MB = 120;
const LOADED_GOAL_MB = 200;
/** How long the service may take to become idle after its start. */
const IDLE_MS = 5_000;

const directory = path.resolve(
  import.meta.dirname,
  '../../.data/bench/feature-flags',
);

/** Returns the resident memory that a server reports, in MiB. */
async function memoryOf(url: string, route: string): Promise<number> {
  const response = await fetch(`${url}${route}`, {
    headers: { authorization: TOKENS.admin },
  });
  const [, bytes] =
    /^(?:process_resident_memory_bytes(?:\{[^}\n]{0,200}\})? )?(\d{1,15})$/m.exec(
      await response.text(),
    ) ?? [];
  return Number(bytes) / 1_048_576;
}

async function memoryRow(
  what: string,
  goal: number,
  { ours, theirs, bare }: Servers,
): Promise<Row> {
  const own = await memoryOf(ours.url, '/metrics');
  const others = [
    `bare ${Math.round(await memoryOf(bare.url, '/memory'))} MB`,
    ...(theirs
      ? [
          `Unleash ${Math.round(
            await memoryOf(theirs.url, '/internal-backstage/prometheus'),
          )} MB`,
        ]
      : []),
  ];
  return {
    what,
    target: `≤ ${goal} MB`,
    measured: `${Math.round(own)} MB`,
    beside: others.join('; '),
    met: own <= goal,
  };
}

/** Starts the service repeatedly with a migrated database; the shortest start time counts. */
async function startRow(
  start: () => Promise<RunningServer>,
): Promise<{ row: Row; ours: RunningServer }> {
  await (await start()).stop();
  const times: number[] = [];
  for (;;) {
    const startedAt = performance.now();
    const ours = await start();
    times.push(performance.now() - startedAt);
    if (times.length === STARTS) {
      const shortest = Math.min(...times);
      return {
        ours,
        row: {
          what: `Start to ready, best of ${STARTS}`,
          target: `≤ ${duration(START_GOAL_MS)}`,
          measured: duration(shortest),
          beside: '-',
          met: shortest <= START_GOAL_MS,
        },
      };
    }
    await ours.stop();
  }
}

async function measure(
  servers: Servers,
  options: { flags: number; seconds: number },
): Promise<Row[]> {
  const { flags, seconds } = options;
  const both = [servers.ours, ...(servers.theirs ? [servers.theirs] : [])];
  const rows: Row[] = [];
  await sleep(IDLE_MS);
  rows.push(await memoryRow('Memory when idle', IDLE_GOAL_MB, servers));
  let created = 0;
  for (const [count, shares] of [
    [10, { ok: 0.7, unchanged: 0.7 }],
    [flags, { ok: 0.9, unchanged: null }],
  ] as const) {
    for (const { url } of both) {
      await createBenchFlags(url, created, count);
    }
    created = count;
    await sleep(IDLE_MS);
    for (const cell of featureCells(count, shares)) {
      rows.push(await measureCell(cell, servers, seconds));
    }
  }
  for (const cell of metricsCells()) {
    rows.push(await measureCell(cell, servers, seconds));
  }
  rows.push(await memoryRow('Memory after the load', LOADED_GOAL_MB, servers));
  return rows;
}

async function run(): Promise<Row[]> {
  const { values } = parseArgs({
    options: {
      flags: { type: 'string', default: '1_000' },
      seconds: { type: 'string', default: '9' },
      unleash: { type: 'boolean', default: false },
    },
  });
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true });
  const postgres = values.unleash
    ? await BenchPostgres.start(path.join(directory, 'postgres'))
    : undefined;
  const stops: (() => Promise<void>)[] = [];
  const stopping = (server: RunningServer) => {
    stops.unshift(() => server.stop());
    return server;
  };
  if (postgres) {
    stops.push(() => postgres.stop());
  }
  try {
    const { row, ours } = await startRow(() =>
      startService({
        client: 'better-sqlite3',
        connection: { filename: path.join(directory, 'db.sqlite') },
      }),
    );
    stopping(ours);
    const bare = stopping(await startBare(path.join(directory, 'bare.sqlite')));
    const theirs =
      postgres &&
      stopping(await startUnleash(postgres.connectionString('postgres')));
    const rows = await measure(
      { ours, bare, ...(theirs && { theirs }) },
      {
        flags: readCount('flags', values.flags),
        seconds: readCount('seconds', values.seconds),
      },
    );
    return [row, ...rows];
  } finally {
    for (const stop of stops) {
      await stop();
    }
    rmSync(directory, { recursive: true, force: true });
  }
}

runBench(run);
