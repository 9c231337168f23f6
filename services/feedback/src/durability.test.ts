import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openDatabase } from '@slipway/service-kit';
import type { FakePortal } from '@slipway/service-kit/testing';
import {
  KEY,
  PNG,
  startPortal,
  submission,
} from './__testUtils__/startFeedback.ts';

/** Raised by hand; each takes about three seconds. */
const KILLS = Number(process.env.KILLS ?? 3);

let directory: string;
let portal: FakePortal;
let cookie: string;

beforeEach(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'feedback-'));
  portal = await startPortal();
  cookie = await portal.cookie('user:default/ada');
});

afterEach(async () => {
  await portal.stop();
  await rm(directory, { recursive: true, force: true });
});

const databaseFile = () => path.join(directory, 'db.sqlite');

/** The service as a process of its own, on a database file. */
async function startProcess(): Promise<{ child: ChildProcess; url: string }> {
  const child = spawn(
    process.execPath,
    [path.join(import.meta.dirname, '__testUtils__/runForKill.ts')],
    {
      env: {
        ...process.env,
        FEEDBACK_DATABASE: databaseFile(),
        FEEDBACK_PORTAL: portal.baseUrl,
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout!.on('data', data => {
      const line = String(data);
      if (line.startsWith('http')) {
        resolve(line.trim());
      }
    });
    child.once('exit', code => reject(new Error(`It ended with ${code}`)));
  });
  return { child, url };
}

/** What was acknowledged so far. */
interface Acknowledged {
  readonly submitted: Set<string>;
  readonly validated: Set<string>;
}

/** Submits and validates, without end. */
async function work(url: string, acknowledged: Acknowledged): Promise<never> {
  const headers = { cookie, 'content-type': 'application/json' };
  for (;;) {
    const sent = await fetch(`${url}/api/v1/feedback`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ ...submission, screenshot: PNG }),
    });
    const { id } = await sent.json();
    expect(sent.status).toBe(201);
    acknowledged.submitted.add(id);
    const moved = await fetch(`${url}/api/v1/feedback/${id}/status`, {
      method: 'PUT',
      headers,
      body: JSON.stringify({ status: 'validated' }),
    });
    await moved.json();
    expect(moved.status).toBe(200);
    acknowledged.validated.add(id);
  }
}

/** Runs the automation, without end. */
async function automate(url: string): Promise<never> {
  for (;;) {
    const run = await fetch(`${url}/api/v1/automation/process-validated`, {
      method: 'POST',
      headers: { 'x-api-key': KEY, 'content-type': 'application/json' },
    });
    expect(run.status).toBe(200);
    await run.json();
  }
}

it(
  `keeps what was acknowledged, and makes one issue of each, through ${KILLS} kill -9`,
  async () => {
    const acknowledged = {
      submitted: new Set<string>(),
      validated: new Set<string>(),
    };
    for (let round = 0; round < KILLS; round += 1) {
      const { child, url } = await startProcess();
      const ended = new Promise(resolve => {
        child.once('exit', resolve);
      });
      let isAlive = true;
      const workers = [
        ...Array.from({ length: 4 }, () => work(url, acknowledged)),
        automate(url),
        automate(url),
      ].map(worker =>
        worker.catch((error: unknown) => {
          if (isAlive) {
            throw error;
          }
        }),
      );
      const before = acknowledged.validated.size;
      await vi.waitUntil(() => acknowledged.validated.size > before + 25, {
        timeout: 60_000,
        interval: 1,
      });
      isAlive = false;
      child.kill('SIGKILL');
      await Promise.all([...workers, ended]);
    }

    const { child, url } = await startProcess();
    await vi.waitUntil(
      async () => {
        const run = await fetch(`${url}/api/v1/automation/process-validated`, {
          method: 'POST',
          headers: { 'x-api-key': KEY },
        });
        const left = await fetch(
          `${url}/api/v1/feedback?status=validated&per_page=1`,
          { headers: { cookie } },
        );
        await run.json();
        return (await left.json()).pagination.total === 0;
      },
      { timeout: 30_000, interval: 200 },
    );
    child.kill();

    const { knex, close } = await openDatabase(
      { client: 'better-sqlite3', connection: { filename: databaseFile() } },
      { root: '/' },
    );
    const rows: { id: string; issue_number: number | null }[] = await knex(
      'feedback',
    ).select('id', 'issue_number');
    const stored = new Map(rows.map(row => [row.id, row.issue_number]));
    const pictures = new Set(await knex('screenshots').pluck('feedback_id'));
    for (const id of acknowledged.submitted) {
      expect(stored.has(id)).toBe(true);
      expect(pictures.has(id)).toBe(true);
    }
    for (const id of acknowledged.validated) {
      expect(stored.get(id)).toEqual(expect.any(Number));
    }
    const numbers = rows.flatMap(row => row.issue_number ?? []);
    expect(new Set(numbers).size).toBe(numbers.length);
    const markers: string[] = await knex('issues').pluck('marker');
    expect(markers).toHaveLength(numbers.length);
    await close();
  },
  KILLS * 30_000 + 60_000,
);
