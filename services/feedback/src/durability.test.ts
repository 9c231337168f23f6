import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { patient } from '@slipway/dev-runner/src/patience.ts';
import { openDatabase } from '@slipway/service-kit';
import {
  type FakePortal,
  killDuring,
  startProcess,
} from '@slipway/service-kit/testing';
import {
  KEY,
  PNG,
  startPortal,
  submission,
} from './__testUtils__/startFeedback.ts';

/** Increased manually; each takes about three seconds. */
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

/** Starts the service as a separate process, with a database file. */
function startFeedbackProcess() {
  return startProcess({
    module: new URL('service.ts', import.meta.url),
    name: 'feedbackService',
    config: {
      portal: { baseUrl: portal.baseUrl },
      database: {
        client: 'better-sqlite3',
        connection: { filename: databaseFile() },
      },
      auth: { apiKeys: [{ name: 'test', key: KEY }] },
      rateLimit: { enabled: false },
      limits: { eventLoopDelay: 600_000 },
    },
  });
}

/** The acknowledged writes. */
interface Acknowledged {
  readonly submitted: Set<string>;
  readonly validated: Set<string>;
}

/** Submits feedback and validates it. */
async function work(url: string, acknowledged: Acknowledged): Promise<void> {
  const headers = { cookie, 'content-type': 'application/json' };
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

/** Runs the automation. */
async function automate(url: string): Promise<void> {
  const run = await fetch(`${url}/api/v1/automation/process-validated`, {
    method: 'POST',
    headers: { 'x-api-key': KEY, 'content-type': 'application/json' },
  });
  expect(run.status).toBe(200);
  await run.json();
}

it(
  `keeps acknowledged feedback, and creates one issue each, through ${KILLS} kill -9`,
  async () => {
    const acknowledged = {
      submitted: new Set<string>(),
      validated: new Set<string>(),
    };
    for (let round = 0; round < KILLS; round += 1) {
      const running = await startFeedbackProcess();
      const { url } = running;
      const before = acknowledged.validated.size;
      await killDuring(running, {
        works: [
          ...Array.from({ length: 4 }, () => () => work(url, acknowledged)),
          () => automate(url),
          () => automate(url),
        ],
        isEnough: () => acknowledged.validated.size > before + 25,
        timeoutMs: patient(60_000),
      });
    }

    const running = await startFeedbackProcess();
    const { url } = running;
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
    await running.end('SIGTERM');

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
  patient(KILLS * 30_000 + 60_000),
);
