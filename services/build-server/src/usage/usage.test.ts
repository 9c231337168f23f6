import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import {
  openTestDatabase,
  testDatabaseClients,
} from '@slipway/service-kit/testing';
import { BuildClient } from '../__testUtils__/BuildClient.ts';
import {
  basic,
  startBuildServer,
  type TestServer,
} from '../__testUtils__/startBuildServer.ts';
import { buildServer } from '../service.ts';

const ADMIN_TOKEN = 'test-admin-token';
const DAY = Date.parse('2026-11-02T00:00:00Z');
const MINUTE = 60_000;
/** Noon of the third day. */
const NOW = DAY + 2.5 * 24 * 60 * MINUTE;

describe.each(testDatabaseClients())('usage on %s', client => {
  let database: Awaited<ReturnType<typeof openTestDatabase>>;
  let server: TestServer;
  let admin: BuildClient;

  /** Stores a build that was due at a minute, waited some seconds, and ran some minutes. */
  const insert = async (
    job: string,
    dueMinute: number,
    options: { waited: number; ran: number | null; result?: string },
  ) => {
    const due = DAY + dueMinute * MINUTE;
    const started = due + options.waited * 1_000;
    const [{ id }] = await database.database
      .knex('builds')
      .insert({
        ...{ job, number: dueMinute + 1, cause: 'test', parameters: '{}' },
        ...{ steps: '[]', attempt: 1, queued_at: due - 5_000, due_at: due },
        started_at: started,
        state: options.ran === null ? 'running' : 'finished',
        worker: 'elsewhere',
        lease_until: NOW * 2,
        result: options.result ?? (options.ran === null ? null : 'SUCCESS'),
        finished_at:
          options.ran === null ? null : started + options.ran * MINUTE,
      })
      .returning('id');
    return { id, started };
  };

  beforeAll(async () => {
    database = await openTestDatabase(client, buildServer);
    server = await startBuildServer({
      database: database.database,
      now: () => NOW,
      jobs: [
        {
          name: 'shop',
          owner: 'group:default/payments',
          steps: [{ name: 'Run', run: 'true' }],
        },
      ],
      config: {
        executors: 0,
        auth: {
          users: [
            { name: 'admin', key: ADMIN_TOKEN, scopes: ['read', 'admin'] },
            { name: 'dev', key: 'test-api-token', scopes: ['read', 'trigger'] },
          ],
        },
      },
    });
    admin = new BuildClient(server.url, basic('admin', ADMIN_TOKEN));
    for (const [folder, size] of [
      ['logs', 100],
      ['artifacts/7/dist', 2_000],
      ['caches', 30_000],
    ] as const) {
      const at = path.join(server.directory, folder);
      await mkdir(at, { recursive: true });
      await writeFile(path.join(at, 'file'), 'x'.repeat(size));
    }
    // The first day: 20 builds of 6 minutes, which waited 1 to 20 seconds.
    for (let index = 0; index < 20; index += 1) {
      await insert(index % 2 ? 'shop/main' : 'shop', index, {
        ...{ waited: index + 1, ran: 6 },
        result: index === 3 ? 'FAILURE' : 'SUCCESS',
      });
    }
    await insert('gone', 30, { waited: 0, ran: 60, result: 'ABORTED' });
    // The third day: one that runs for an hour, and one that waited for a person for an hour.
    await insert('shop', 2 * 1_440 + 660, { waited: 0, ran: null });
    const { id, started } = await insert('shop', 2 * 1_440 + 30, {
      ...{ waited: 0, ran: 90 },
    });
    await database.database.knex('build_gates').insert({
      ...{ build_id: id, step: 'Approve', approval: '{}' },
      ...{ opened_at: started, decided_at: started + 60 * MINUTE },
    });
    // Outside of the period.
    await insert('shop', -10, { waited: 0, ran: 600 });
    await insert('shop', 4 * 1_440, { waited: 0, ran: 600 });
  });

  afterAll(async () => {
    await server.stop();
    await database.dispose();
  });

  it('adds up builds by day, job and team', async () => {
    const { status, body } = await admin.get(
      '/usage?from=2026-11-02&to=2026-11-05',
    );
    expect(status).toBe(200);
    expect(body.totals).toEqual({
      ...{ builds: 23, minutes: 270, judged: 21, succeeded: 20 },
      queue: { p50: 9, p95: 19 },
    });
    expect(body.parts).toEqual([
      {
        ...{ from: '2026-11-02', to: '2026-11-02', builds: 21, minutes: 180 },
        ...{ judged: 20, succeeded: 19, queue: { p50: 10, p95: 19 } },
        ...{ executors: 0.13, isOver: true },
      },
      {
        ...{ from: '2026-11-03', to: '2026-11-03', builds: 0, minutes: 0 },
        ...{ judged: 0, succeeded: 0, queue: null },
        ...{ executors: 0, isOver: true },
      },
      {
        ...{ from: '2026-11-04', to: '2026-11-04', builds: 2, minutes: 90 },
        ...{ judged: 1, succeeded: 1, queue: { p50: 0, p95: 0 } },
        // Of half a day.
        ...{ executors: 0.13, isOver: false },
      },
    ]);
    expect(body.jobs).toEqual([
      {
        ...{ job: 'shop', team: 'group:default/payments' },
        ...{ builds: 22, minutes: 210, judged: 21, succeeded: 20 },
      },
      {
        ...{ job: 'gone', team: null },
        ...{ builds: 1, minutes: 60, judged: 0, succeeded: 0 },
      },
    ]);
    expect(body.teams.map((one: { team: string }) => one.team)).toEqual([
      ...['group:default/payments', null],
    ]);
    expect(body.disk).toEqual({
      ...{ logs: 100, artifacts: 2_000, caches: 30_000, measuredAt: NOW },
    });
  });

  it('shows long periods by week, and periods without builds', async () => {
    const long = await admin.get('/usage?from=2026-01-01&to=2026-12-31');
    expect(long.body.parts).toHaveLength(44);
    expect(long.body.parts[0]).toMatchObject({
      ...{ from: '2026-01-01', to: '2026-01-07', builds: 0 },
    });
    const none = await admin.get('/usage?from=2025-01-01&to=2025-01-02');
    expect(none.body).toMatchObject({
      totals: { builds: 0, minutes: 0, queue: null },
      jobs: [],
      teams: [],
    });
    expect(none.body.parts).toHaveLength(2);
    const later = await admin.get('/usage?from=2027-01-01&to=2027-01-02');
    expect(later.body.parts).toEqual([]);
  });

  it('is for admins', async () => {
    const query = '/usage?from=2026-11-02&to=2026-11-05';
    const { url } = server;
    expect((await new BuildClient(url, null).get(query)).status).toBe(401);
    expect((await new BuildClient(url).get(query)).status).toBe(403);
  });

  it.each([
    ['from=2026-11-02', 'to'],
    ['from=2026-11-02&to=yesterday', 'to'],
    ['from=2026-02-30&to=2026-03-02', 'from'],
    ['from=2026-11-02&to=2026-11-01', 'to'],
    ['from=2020-01-01&to=2026-11-01', 'to'],
  ])('answers 400 for ?%s', async (query, field) => {
    const { status, text } = await admin.get(`/usage?${query}`);
    expect(status).toBe(400);
    expect(text).toContain(field);
  });
});
