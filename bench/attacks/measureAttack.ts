import { setTimeout as sleep } from 'node:timers/promises';
import type { Part } from '@slipway/fuzz/src/platform/parts.ts';
import type { RunningProcess } from '@slipway/fuzz/src/platform/Platform.ts';
import type { Reading } from '@slipway/fuzz/src/platform/Probe.ts';
import { Client } from 'undici';
import { duration, percentile, type Row } from '../runBench.ts';
import type { Attack } from './attacks.ts';
import { startAttack } from './attacker.ts';

const CONNECTIONS = 4;
const LATENCY_TARGET_MS = 100;
/**
 * Maximum growth of used memory after an attack, in bytes: caches fill up, and compiled
 * code stays.
 */
const USED_TARGET = 10e6;
/** Maximum growth of resident memory, in bytes: V8 does not return free heap immediately. */
const RESIDENT_TARGET = 100e6;

/** Duration of the warm-up and the baseline without an attack. */
const CALM_SECONDS = 5;
/** Pause between two legitimate requests. */
const PAUSE_MS = 20;
const MEMORY_PAUSE_MS = 250;
/** Maximum wait for memory to return to normal. */
const RECOVERY_SECONDS = 20;

/** Measurements of a period. */
interface Stretch {
  /** Latencies of legitimate requests, in milliseconds. */
  latencies: number[];
  peakRss: number;
}

/** Attacks a part for the given time. @returns a row for latency and two rows for memory. */
export async function measureAttack(
  { part, process }: { part: Part; process: RunningProcess },
  attack: Attack,
  seconds: number,
): Promise<Row[]> {
  await observe(part, process, sleep(1_000 * CALM_SECONDS));
  const calm = await observe(part, process, sleep(1_000 * CALM_SECONDS));
  const before = await process.probe.readCollected();
  const answered = startAttack({
    ...attack.request,
    body: attack.request.body?.toString('base64'),
    port: Number(new URL(process.origin).port),
    connections: CONNECTIONS,
    seconds,
  });
  const attacked = await observe(part, process, answered);
  const after = await recovered(process, before);
  const answers = Object.entries(await answered)
    .map(([what, times]) => `${what} ${times}×`)
    .join(', ');
  const p99 = percentile(attacked.latencies, 99);
  return [
    {
      what: `${part.name}: ${attack.what} (${answers})`,
      target: `p99 ${LATENCY_TARGET_MS} ms`,
      measured: `p99 ${duration(p99)}, median ${duration(
        percentile(attacked.latencies, 50),
      )}`,
      beside: `calm: p99 ${duration(percentile(calm.latencies, 99))}`,
      met: p99 <= LATENCY_TARGET_MS,
    },
    {
      what: '  memory in use after it',
      target: `+ ${megabytes(USED_TARGET)}`,
      measured: megabytes(after.used),
      beside: `before: ${megabytes(before.used)}`,
      met: after.used <= before.used + USED_TARGET,
    },
    {
      what: '  resident after it',
      target: `+ ${megabytes(RESIDENT_TARGET)}`,
      measured: `${megabytes(after.rss)}, peak ${megabytes(attacked.peakRss)}`,
      beside: `before: ${megabytes(before.rss)}`,
      met: after.rss <= before.rss + RESIDENT_TARGET,
    },
  ];
}

/** Sends legitimate requests repeatedly until a promise resolves. */
async function observe(
  { name, ordinary }: Part,
  { origin, probe }: RunningProcess,
  until: Promise<unknown>,
): Promise<Stretch> {
  const stretch: Stretch = { latencies: [], peakRss: 0 };
  let isOver = false;
  const over = until.finally(() => {
    isOver = true;
  });
  const watchMemory = async () => {
    while (!isOver) {
      const { rss } = await probe.read();
      stretch.peakRss = Math.max(stretch.peakRss, rss);
      await sleep(MEMORY_PAUSE_MS);
    }
  };
  const ask = async () => {
    const client = new Client(origin);
    const { path, credential } = ordinary;
    const headers = Object.fromEntries(credential?.headers ?? []);
    while (!isOver) {
      const begun = performance.now();
      const answer = await client.request({ method: 'GET', path, headers });
      await answer.body.dump();
      stretch.latencies.push(performance.now() - begun);
      if (answer.statusCode !== 200) {
        throw new Error(`${name} answers ${path} with ${answer.statusCode}`);
      }
      await sleep(PAUSE_MS);
    }
    await client.close();
  };
  await Promise.all([over, watchMemory(), ask()]);
  return stretch;
}

/** Returns the memory use once it is back to normal, or after {@link RECOVERY_SECONDS}. */
async function recovered(
  { probe }: RunningProcess,
  before: Reading,
): Promise<Reading> {
  for (let second = 0; second < RECOVERY_SECONDS; second += 1) {
    const reading = await probe.readCollected();
    if (reading.used <= before.used && reading.rss <= before.rss) {
      return reading;
    }
    await sleep(1_000);
  }
  return probe.readCollected();
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1e6)} MB`;
}
