import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openDatabase } from '@slipway/service-kit';
import { killDuring, startProcess } from '@slipway/service-kit/testing';
import {
  ADMIN_TOKEN,
  CLIENT_TOKEN,
} from './__testUtils__/startFeatureFlags.ts';

/** Number of kills, of about three seconds each; set `KILLS` for more. */
const KILLS = Number(process.env.KILLS ?? 3);

let directory: string;

beforeEach(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'feature-flags-'));
});

afterEach(() => rm(directory, { recursive: true, force: true }));

/** Starts the service as a separate process, on a database file. */
function startFlagsProcess() {
  return startProcess({
    module: new URL('service.ts', import.meta.url),
    name: 'featureFlags',
    config: {
      database: {
        client: 'better-sqlite3',
        connection: { filename: path.join(directory, 'db.sqlite') },
      },
      tokens: [
        { name: 'client', type: 'client', token: CLIENT_TOKEN },
        { name: 'admin', type: 'admin', token: ADMIN_TOKEN },
      ],
      rateLimit: { enabled: false },
    },
  });
}

/** The reports sent; below, the flags and reports that the service has acknowledged. */
const sent = { usage: 0 };
const acknowledged = { flags: new Set<string>(), usage: 0 };

function post(url: string, token: string, body: object): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: { authorization: token, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

async function createFlag(url: string, name: string): Promise<void> {
  const response = await post(`${url}/api/admin/features`, ADMIN_TOKEN, {
    name,
  });
  await response.arrayBuffer();
  expect(response.status).toBe(201);
  acknowledged.flags.add(name);
}

async function reportUsage(url: string): Promise<void> {
  const now = new Date().toISOString();
  sent.usage += 1;
  const response = await post(`${url}/api/client/metrics`, CLIENT_TOKEN, {
    appName: 'shop',
    bucket: { start: now, stop: now, toggles: { counted: { yes: 1, no: 0 } } },
  });
  await response.arrayBuffer();
  expect(response.status).toBe(202);
  acknowledged.usage += 1;
}

it(
  `keeps each acknowledged flag and report through ${KILLS} kill -9`,
  async () => {
    for (let round = 0; round < KILLS; round += 1) {
      const running = await startFlagsProcess();
      const { url } = running;
      if (round === 0) {
        await createFlag(url, 'counted');
      }
      const before = acknowledged.flags.size;
      await killDuring(running, {
        works: [0, 1, 2, 3].flatMap(sender => [
          (turn: number) => createFlag(url, `flag-${round}-${sender}-${turn}`),
          () => reportUsage(url),
        ]),
        isEnough: () =>
          acknowledged.flags.size > before + 20 + ((round * 37) % 100),
        timeoutMs: 100_000,
      });
    }

    const database = await openDatabase(
      {
        client: 'better-sqlite3',
        connection: { filename: path.join(directory, 'db.sqlite') },
      },
      { root: '/' },
    );
    const names: string[] = await database.knex('flags').pluck('name');
    expect([...acknowledged.flags].filter(n => !names.includes(n))).toEqual([]);
    // History, revision and flags were written in the same transactions.
    const history = await database.knex('history').pluck('subject');
    expect([...history].sort()).toEqual([...names].sort());
    const state = await database
      .knex('revisions')
      .where({ subject: 'flags' })
      .first();
    expect(state.revision).toBe(names.length);
    const usage = await database
      .knex('usage')
      .where({ flag_name: 'counted', span: 'hour' })
      .sum({ yes: 'yes' })
      .first();
    expect(Number(usage?.yes)).toBeGreaterThanOrEqual(acknowledged.usage);
    expect(Number(usage?.yes)).toBeLessThanOrEqual(sent.usage);
    await database.close();
  },
  KILLS * 120_000,
);
