import { rmSync } from 'node:fs';
import { Agent, get, type IncomingMessage } from 'node:http';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { readCount } from '../../arguments.ts';
import { BenchPostgres } from '../../BenchPostgres.ts';
import { duration, percentile, type Row, runBench } from '../../runBench.ts';
import { createBenchFlags } from '../createBenchFlags.ts';
import { startService, TOKENS } from '../servers.ts';

// Measures how soon streams receive a toggle, on the replica that handles it and on another one:
// `yarn workspace @slipway/bench bench:flag-streams`.

const OWN_GOAL_MS = 200;
const OTHER_GOAL_MS = 1_000;
const FLAGS = 100;
const TOGGLES = 20;
const TIMEOUT_MS = 30_000;

const directory = path.resolve(
  import.meta.dirname,
  '../../../.data/bench/flag-streams',
);

/** Streams opened at one replica; records when each receives the next change. */
class Streams {
  readonly #responses: IncomingMessage[] = [];
  #seen: number[] = [];

  static async open(url: string, count: number): Promise<Streams> {
    const streams = new Streams();
    const agent = new Agent({ maxSockets: Infinity });
    for (let index = 0; index < count; index += 1) {
      await streams.#add(url, agent);
    }
    return streams;
  }

  async #add(url: string, agent: Agent): Promise<void> {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      get(
        `${url}/api/client/streaming`,
        { agent, headers: { authorization: TOKENS.client } },
        resolve,
      ).on('error', reject);
    });
    if (response.statusCode !== 200) {
      throw new Error(`A stream responded with ${response.statusCode}`);
    }
    response.on('data', (chunk: Buffer) => {
      if (chunk.includes('event: unleash-updated')) {
        this.#seen.push(performance.now());
      }
    });
    this.#responses.push(response);
  }

  /**
   * Waits until all streams have received a change.
   *
   * @returns the time at which each did, on the clock of `performance.now()`.
   * @throws Error if that takes too long.
   */
  async next(): Promise<readonly number[]> {
    const until = performance.now() + TIMEOUT_MS;
    while (this.#seen.length < this.#responses.length) {
      if (performance.now() > until) {
        throw new Error(
          `${this.#seen.length} of ${this.#responses.length} streams saw a change`,
        );
      }
      await sleep(2);
    }
    const seen = this.#seen;
    this.#seen = [];
    return seen;
  }

  close(): void {
    this.#responses.forEach(response => response.destroy());
  }
}

async function toggle(url: string, isOn: boolean): Promise<void> {
  const response = await fetch(
    `${url}/api/admin/features/flag-00000/toggle/${isOn ? 'on' : 'off'}`,
    { method: 'POST', headers: { authorization: TOKENS.admin } },
  );
  await response.arrayBuffer();
  if (!response.ok) {
    throw new Error(`A toggle responded with ${response.status}`);
  }
}

function row(what: string, goal: number, samples: readonly number[]): Row {
  const p99 = percentile(samples, 99);
  return {
    what,
    target: duration(goal),
    measured: duration(p99),
    beside: `median ${duration(percentile(samples, 50))}`,
    met: p99 <= goal,
  };
}

async function run(): Promise<Row[]> {
  const { values } = parseArgs({
    options: { streams: { type: 'string', default: '1_000' } },
  });
  const count = readCount('streams', values.streams);
  rmSync(directory, { recursive: true, force: true });
  const postgres = await BenchPostgres.start(directory);
  const stops = [() => postgres.stop()];
  try {
    const database = {
      client: 'pg',
      connection: postgres.connectionString('postgres'),
    };
    const urls: string[] = [];
    for (let replica = 0; replica < 2; replica += 1) {
      const server = await startService(database);
      stops.unshift(() => server.stop());
      urls.push(server.url);
    }
    await createBenchFlags(urls[0], 0, FLAGS);
    await sleep(1_000);
    const replicas = await Promise.all(
      urls.map(url => Streams.open(url, count)),
    );
    const samples: number[][] = [[], []];
    for (let turn = 0; turn < TOGGLES; turn += 1) {
      const started = performance.now();
      await toggle(urls[0], turn % 2 === 1);
      const seen = await Promise.all(replicas.map(each => each.next()));
      seen.forEach((times, index) =>
        samples[index].push(...times.map(time => time - started)),
      );
      await sleep(200);
    }
    replicas.forEach(each => each.close());
    return [
      row(`${count} streams of the replica, p99`, OWN_GOAL_MS, samples[0]),
      row(
        `${count} streams of another replica, p99`,
        OTHER_GOAL_MS,
        samples[1],
      ),
    ];
  } finally {
    for (const stop of stops) {
      await stop();
    }
    rmSync(directory, { recursive: true, force: true });
  }
}

runBench(run);
