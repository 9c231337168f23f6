import Database from 'better-sqlite3';
import { Client } from 'undici';
import { duration, percentile, type Row, summary } from '../../runBench.ts';
import {
  type ForgeDelivery,
  makeDelivery,
  WEBHOOK_SECRETS,
} from '../deliveries.ts';
import { cpuMs, peakMiB } from '../../processUse.ts';
import type { RunningServer } from '../servers.ts';

const CONNECTIONS = 50;
const DELIVERIES = 10_000;
/**
 * One in this many deliveries is sent again immediately over another connection (AGAIN_AT_ONCE), sent
 * again at the end (AGAIN_LATER), or forged (FORGED).
 */
const AGAIN_AT_ONCE = 10;
const AGAIN_LATER = 20;
const FORGED = 25;
const MAX_MIB = 250;

/** The responses to the deliveries. */
interface Answers {
  /** Build numbers from the responses, one for each time a delivery was sent, by its id. */
  numbers: Map<string, number[]>;
  refused: number;
  latencies: number[];
}

/**
 * Sends webhooks of several forges while the server builds. Some are sent again, some are forged.
 *
 * @param databaseFile - the server's database, in which the builds are counted.
 * @throws Error if a delivery is lost or built twice, or if a forged one is built.
 */
export async function webhookFlood(
  server: RunningServer,
  databaseFile: string,
): Promise<Row> {
  const queue = makeQueue();
  const sent = queue.length;
  const before = cpuMs(server.pid);
  const startedAt = performance.now();
  const answers = await sendAll(server, queue);
  const tookMs = performance.now() - startedAt;
  const used = cpuMs(server.pid) - before;
  const built = check(databaseFile, answers);
  const { latencies } = answers;
  const peak = peakMiB(server.pid);
  const rate = Math.round((sent / tookMs) * 1_000).toLocaleString('en');
  return {
    what: `${sent.toLocaleString('en')} webhooks of 5 forges over ${CONNECTIONS} connections, while it builds`,
    target: `none lost or doubled, ≤ ${MAX_MIB} MiB`,
    measured: `${built.numbers.toLocaleString('en')} builds, none lost or doubled, ${peak.toFixed(0)} MiB; ${summary(
      latencies,
    )}, p99 ${duration(percentile(latencies, 99))}`,
    beside: `${rate}/s, CPU ${(used / sent).toFixed(2)} ms each; ${
      sent - built.numbers - answers.refused
    } sent again, ${answers.refused} forged, ${built.ended} built meanwhile`,
    met: peak <= MAX_MIB,
  };
}

/**
 * Creates the deliveries in sending order: repeated ones follow immediately, or at the end.
 */
function makeQueue(): ForgeDelivery[] {
  const queue: ForgeDelivery[] = [];
  const later: ForgeDelivery[] = [];
  for (let number = 1; queue.length + later.length < DELIVERIES; number += 1) {
    const isForged = number % FORGED === 0;
    const delivery = makeDelivery(number, { isForged });
    queue.push(delivery);
    if (!isForged && number % AGAIN_AT_ONCE === 1) {
      queue.push(delivery);
    } else if (!isForged && number % AGAIN_LATER === 2) {
      later.push(delivery);
    }
  }
  return [...queue, ...later].slice(0, DELIVERIES);
}

async function sendAll(
  server: RunningServer,
  queue: ForgeDelivery[],
): Promise<Answers> {
  const answers: Answers = { numbers: new Map(), refused: 0, latencies: [] };
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      const client = new Client(server.url);
      for (let next = queue.shift(); next; next = queue.shift()) {
        await send(client, next, answers);
      }
      await client.close();
    }),
  );
  return answers;
}

async function send(
  client: Client,
  { id, headers: own, body: payload }: ForgeDelivery,
  answers: Answers,
): Promise<void> {
  const sentAt = performance.now();
  const { statusCode, body } = await client.request({
    method: 'POST',
    path: `/generic-webhook-trigger/invoke?token=${WEBHOOK_SECRETS.hook}`,
    headers: own,
    body: payload,
  });
  const text = await body.text();
  answers.latencies.push(performance.now() - sentAt);
  if (statusCode === 401) {
    answers.refused += 1;
    return;
  }
  const { triggered, buildNumber } =
    statusCode === 200 ? JSON.parse(text).jobs.hooked : {};
  if (triggered !== true) {
    throw new Error(`A webhook was answered ${statusCode}: ${text}`);
  }
  const numbers = answers.numbers.get(id) ?? [];
  answers.numbers.set(id, [...numbers, buildNumber]);
}

/**
 * Compares the stored builds with the responses.
 *
 * @returns the number of builds, and of those that succeeded (`ended`).
 * @throws Error unless there is exactly one build per delivery, with the number in each response.
 */
function check(
  databaseFile: string,
  { numbers, refused }: Answers,
): { numbers: number; ended: number } {
  const database = new Database(databaseFile, { readonly: true });
  const stored = database
    .prepare<[], { number: number; delivery: string; result: string | null }>(
      "SELECT number, delivery, result FROM builds WHERE job = 'hooked' ORDER BY number",
    )
    .all();
  database.close();
  const isExact =
    stored.length === numbers.size &&
    stored.every(({ number, delivery }, index) => {
      const answered = numbers.get(delivery.replace('webhook:', ''));
      return number === index + 1 && answered?.every(each => each === number);
    });
  if (!isExact || refused === 0) {
    throw new Error(
      `${numbers.size} deliveries were acknowledged and ${refused} refused, but ${stored.length} builds are stored, or with other numbers`,
    );
  }
  const ended = stored.filter(({ result }) => result === 'SUCCESS').length;
  return { numbers: stored.length, ended };
}
