import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  API_TOKEN,
  PROJECT_KEY,
  testEngines,
} from './__testUtils__/startAnalytics.ts';

/** Raised by hand; each takes about three seconds. */
const KILLS = Number(process.env.KILLS ?? 3);

interface Running {
  child: ChildProcess;
  url: string;
}

async function startProcess(
  directory: string,
  engine: string,
): Promise<Running> {
  const child = spawn(
    process.execPath,
    [path.join(import.meta.dirname, '__testUtils__/runForKill.ts')],
    {
      env: {
        ...process.env,
        ANALYTICS_TEST: JSON.stringify({ directory, engine }),
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout!.on('data', data => {
      if (String(data).startsWith('http')) {
        resolve(String(data).trim());
      }
    });
    child.once('exit', code => reject(new Error(`It ended with ${code}`)));
  });
  return { child, url };
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

/** The processes that the service has started. */
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

describe.each(testEngines)('events in %s', engine => {
  let directory: string;

  beforeEach(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'analytics-kill-'));
  });

  afterEach(() => rm(directory, { recursive: true, force: true }));

  it(
    `are each kept once through ${KILLS} kill -9 of the service and its engine`,
    async () => {
      const acknowledged = new Set<string>();
      const sent = new Set<string>();
      for (let round = 0; round < KILLS; round += 1) {
        const { child, url } = await startProcess(directory, engine);
        const ended = new Promise(resolve => {
          child.once('exit', resolve);
        });
        let alive = true;
        const send = async () => {
          while (alive) {
            const batch = Array.from({ length: 20 }, () => ({
              event: 'sent',
              distinct_id: 'ada',
              uuid: randomUUID(),
            }));
            batch.forEach(({ uuid }) => sent.add(uuid));
            try {
              const response = await fetch(`${url}/api/batch`, {
                method: 'POST',
                headers: { 'content-type': 'application/json' },
                body: JSON.stringify({ api_key: PROJECT_KEY, batch }),
              });
              expect(response.status).toBe(200);
              batch.forEach(({ uuid }) => acknowledged.add(uuid));
            } catch (error) {
              if (alive) {
                throw error;
              }
            }
          }
        };
        // Questions move events into the column store all the time.
        const question = async () => {
          while (alive) {
            try {
              await ask(url, { select: ['count()'] });
            } catch (error) {
              if (alive) {
                throw error;
              }
            }
          }
        };
        const work = [send(), send(), send(), question()];
        const grown = acknowledged.size + 1_000;
        await vi.waitUntil(() => acknowledged.size > grown, {
          timeout: 30_000,
          interval: 1,
        });
        // The engine alone: nobody notices.
        const [engineProcess] = childrenOf(child.pid!);
        if (engineProcess !== undefined) {
          process.kill(engineProcess, 'SIGKILL');
        }
        const further = acknowledged.size + 1_000;
        await vi.waitUntil(() => acknowledged.size > further, {
          timeout: 30_000,
          interval: 1,
        });
        alive = false;
        child.kill('SIGKILL');
        await Promise.all([...work, ended]);
      }

      const { child, url } = await startProcess(directory, engine);
      const rows = await ask(url, { select: ['uuid'], limit: 50_000 });
      const stored = rows.map(([uuid]) => String(uuid));
      expect(new Set(stored).size).toBe(stored.length);
      const kept = new Set(stored);
      expect([...acknowledged].filter(uuid => !kept.has(uuid))).toEqual([]);
      expect(stored.filter(uuid => !sent.has(uuid))).toEqual([]);
      child.kill('SIGKILL');
    },
    KILLS * 60_000,
  );
});
