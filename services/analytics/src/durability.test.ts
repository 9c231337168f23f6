import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { patient } from '@slipway/dev-runner/src/patience.ts';
import { killDuring, startProcess } from '@slipway/service-kit/testing';
import { eventsConfig } from './__testUtils__/clickhouseSetup.ts';
import {
  API_TOKEN,
  PROJECT_KEY,
  allEngines,
} from './__testUtils__/startAnalytics.ts';
import type { EngineName } from './store/EventStore.ts';

/** How often to kill the process; `KILLS` raises it. Each kill takes about three seconds. */
const KILLS = Number(process.env.KILLS ?? 3);

/** Events per request: with fewer, handling requests takes most of the time. */
const BATCH = 50;
/** Milliseconds between two queries, each of which takes as long as storing many events. */
const PAUSE_MS = 100;

/** Maximum number of rows per response. */
const PAGE = 50_000;

function startAnalyticsProcess(directory: string, engine: EngineName) {
  return startProcess({
    module: new URL('service.ts', import.meta.url),
    name: 'defineAnalytics',
    config: {
      database: {
        client: 'better-sqlite3',
        connection: { filename: `${directory}/db.sqlite` },
      },
      // Settings under which events are moved and counted all the time.
      events: {
        ...eventsConfig(engine, directory),
        moveFrom: 100,
        countSeconds: 0.5,
      },
      rateLimit: { enabled: false },
      // Other tests may keep the machine busy.
      limits: { eventLoopDelay: 600_000 },
      projects: [
        {
          id: 'shop',
          name: 'Shop',
          keys: [{ name: 'test', key: PROJECT_KEY }],
          apiTokens: [{ name: 'test', key: API_TOKEN }],
        },
      ],
    },
  });
}

async function ask(url: string, query: object): Promise<unknown[][]> {
  const response = await fetch(`${url}/api/query`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${API_TOKEN}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({
      query: { kind: 'EventsQuery', after: 'all', ...query },
    }),
  });
  const body = await response.json();
  expect({ status: response.status, body }).toEqual({
    status: 200,
    body: expect.anything(),
  });
  return body.results;
}

/** Returns the number of events that the list of definitions counts. */
async function countOf(url: string): Promise<number> {
  const response = await fetch(`${url}/api/projects/shop/event_definitions`, {
    headers: { authorization: `Bearer ${API_TOKEN}` },
  });
  expect(response.status).toBe(200);
  const { results } = (await response.json()) as {
    results: { name: string; volume_30_day: number }[];
  };
  return results.find(({ name }) => name === 'sent')?.volume_30_day ?? 0;
}

/** Lists the ids of the processes that the service has started. */
function childrenOf(pid: number): number[] {
  try {
    return execFileSync('pgrep', ['-P', String(pid)], { encoding: 'utf8' })
      .split('\n')
      .filter(Boolean)
      .map(Number);
  } catch {
    return [];
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // The process has already exited.
  }
}

describe.each(allEngines)('events in %s', engine => {
  let directory: string;

  beforeEach(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'analytics-kill-'));
  });

  // An engine whose service was killed may still be closing its files.
  afterEach(() =>
    rm(directory, {
      recursive: true,
      force: true,
      maxRetries: 50,
      retryDelay: 200,
    }),
  );

  it(
    `are each kept and counted once through ${KILLS} kill -9 of the service and its engine`,
    async () => {
      const acknowledged = new Set<string>();
      const sent = new Set<string>();
      const counted = { events: 0 };
      for (let round = 0; round < KILLS; round += 1) {
        const running = await startAnalyticsProcess(directory, engine);
        const { child, url } = running;
        const before = acknowledged.size;
        const countedBefore = counted.events;
        let isEngineKilled = false;
        // Number of acknowledged events at which to kill the service; set once some are counted.
        let killAt = Infinity;
        const send = async () => {
          const batch = Array.from({ length: BATCH }, () => ({
            event: 'sent',
            distinct_id: 'ada',
            uuid: randomUUID(),
          }));
          batch.forEach(({ uuid }) => sent.add(uuid));
          const response = await fetch(`${url}/api/batch`, {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify({ api_key: PROJECT_KEY, batch }),
          });
          expect(response.status).toBe(200);
          batch.forEach(({ uuid }) => acknowledged.add(uuid));
        };
        // Each event is counted exactly once, even if events move in the meantime.
        const question = async () => {
          await sleep(PAUSE_MS);
          const least = acknowledged.size;
          const [[count]] = await ask(url, { select: ['count()'] });
          expect(count).toBeGreaterThanOrEqual(least);
          expect(count).toBeLessThanOrEqual(sent.size);
          counted.events = await countOf(url);
          expect(counted.events).toBeLessThanOrEqual(sent.size);
          if (killAt === Infinity && counted.events > countedBefore) {
            killAt = Math.max(before + 4_000, acknowledged.size + 200);
          }
        };
        // Slows down while it only waits for a count, which more events would just delay.
        const isWaiting = () =>
          killAt === Infinity && acknowledged.size > before + 4_000;
        const paced = (work: () => Promise<void>) => async () => {
          if (isWaiting()) {
            await sleep(100);
          }
          await work();
        };
        await killDuring(running, {
          works: [send, send, send, question].map(paced),
          isEnough: () => {
            if (!isEngineKilled && acknowledged.size > before + 2_000) {
              isEngineKilled = true;
              // Kill the engine and the process that counts: both restart without an error.
              childrenOf(child.pid!).forEach(kill);
            }
            return acknowledged.size > killAt;
          },
          timeoutMs: patient(60_000),
        });
      }

      const running = await startAnalyticsProcess(directory, engine);
      const { url } = running;
      const stored: string[] = [];
      let page: unknown[][];
      do {
        page = await ask(url, {
          select: ['uuid'],
          limit: PAGE,
          offset: stored.length,
        });
        stored.push(...page.map(([uuid]) => String(uuid)));
      } while (page.length === PAGE);
      expect(new Set(stored).size).toBe(stored.length);
      const kept = new Set(stored);
      expect([...acknowledged].filter(uuid => !kept.has(uuid))).toEqual([]);
      expect(stored.filter(uuid => !sent.has(uuid))).toEqual([]);
      await vi.waitFor(
        async () => expect(await countOf(url)).toBe(stored.length),
        { timeout: 30_000, interval: 200 },
      );
      await running.end('SIGKILL');
    },
    patient(KILLS * 60_000),
  );
});
