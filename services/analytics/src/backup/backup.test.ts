import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Service } from '@slipway/service-kit';
import { FakePortal } from '@slipway/service-kit/testing';
import {
  clickhouseDatabase,
  eventsConfig,
  runOnClickhouse,
} from '../__testUtils__/clickhouseSetup.ts';
import {
  allEngines,
  clientOf,
  startAnalytics,
} from '../__testUtils__/startAnalytics.ts';
import { run } from '../cli/run.ts';

const BACKUP_TOKEN = 'backup-token';

/** Returns 250 numbered events. */
function numberedFrom(first: number): object[] {
  return Array.from({ length: 250 }, (_, index) => ({
    event: 'opened',
    distinct_id: `user-${(first + index) % 40}`,
    properties: {
      n: first + index,
      $groups: { company: 'acme' },
      $set: { last: first + index },
    },
  }));
}

describe.each(allEngines)('a backup of %s', engine => {
  let directory: string;
  let portal: FakePortal;
  let service: Service;

  const start = (of: string) =>
    startAnalytics({
      directory: path.join(directory, of),
      config: {
        portal: { baseUrl: portal.baseUrl },
        rateLimit: { enabled: false },
        database: {
          client: 'better-sqlite3',
          connection: { filename: path.join(directory, `${of}.sqlite`) },
        },
        events: {
          ...eventsConfig(engine, path.join(directory, of)),
          moveFrom: 500,
          backups: {
            directory: path.join(directory, 'backups'),
            tokens: [{ name: 'nightly', key: BACKUP_TOKEN }],
          },
        },
      },
    });

  async function command(args: string[], url = '') {
    let text = '';
    const write = (part: string) => (text += part);
    const code = await run(args, {
      environment: { ANALYTICS_URL: url, ANALYTICS_TOKEN: BACKUP_TOKEN },
      stdout: { write },
      stderr: { write },
    });
    return { code, text };
  }

  beforeEach(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'backup-'));
    portal = await FakePortal.start({
      groups: { 'user:default/ada': ['group:default/platform-admins'] },
    });
    service = await start('first');
  });

  afterEach(async () => {
    await service.stop();
    await portal.stop();
    await rm(directory, { recursive: true, force: true });
  });

  it('contains every event acknowledged before it while others keep arriving', async () => {
    const url = await service.start();
    const client = clientOf(service);
    let acknowledged = 0;
    let isWriting = true;
    const writer = (async () => {
      while (isWriting) {
        const batch = numberedFrom(acknowledged);
        expect((await client.batch(batch)).status).toBe(200);
        acknowledged += batch.length;
      }
    })();
    const isMoving = async () => {
      const { body } = await service.app.inject('/metrics');
      const [, waiting] = /^analytics_events_waiting (\d+)$/m.exec(body) ?? [];
      return Number(waiting) < acknowledged;
    };
    await vi.waitUntil(
      async () => acknowledged >= 5_000 && (await isMoving()),
      30_000,
    );
    const before = acknowledged;
    const made = await command(['backup'], url);
    const [first, second] = ['first', 'second'].map(of =>
      clickhouseDatabase(path.join(directory, of)),
    );
    if (engine === 'clickhouse') {
      // The order that the README prescribes: first the journal, then the server.
      await runOnClickhouse(`BACKUP DATABASE ${first} TO File('${first}')`);
    }
    const after = acknowledged;
    isWriting = false;
    await writer;
    expect(made).toMatchObject({
      code: 0,
      text: expect.stringMatching(/^\d{8}T\d{6}Z, \d+ bytes\n$/),
    });
    expect(after).toBeGreaterThan(before);

    if (engine === 'clickhouse') {
      await runOnClickhouse(
        `RESTORE DATABASE ${first} AS ${second} FROM File('${first}')`,
      );
    }
    const [name] = await readdir(path.join(directory, 'backups'));
    const restored = await command([
      'restore',
      path.join(directory, 'backups', name),
      '--directory',
      path.join(directory, 'second'),
      '--database',
      path.join(directory, 'second.sqlite'),
    ]);
    expect(restored).toMatchObject({ code: 0 });
    expect(existsSync(path.join(directory, 'second', 'chdb'))).toBe(
      engine === 'chdb',
    );

    const rows = async () => {
      const select = [
        'count()',
        'count(distinct properties.n)',
        'max(toInt(properties.n))',
      ];
      const { body } = await clientOf(service).query({
        select,
        after: 'all',
      });
      return body.results[0] as number[];
    };
    const answers = async () => {
      const { body } = await clientOf(service).query({
        select: [
          'distinct_id',
          'count()',
          'sum(toInt(properties.n))',
          'max(toInt(person.properties.last)) >= 0',
          'any($group_0)',
        ],
        where: [`toInt(properties.n) < ${before}`],
        after: 'all',
        orderBy: ['distinct_id'],
      });
      return body.results;
    };
    const expected = await answers();
    await service.stop();
    service = await start('second');
    const [count, distinct, last] = await rows();
    // The backup contains the first events that were sent, and at least all acknowledged
    // before it began.
    expect(count).toBeGreaterThanOrEqual(before);
    expect(count).toBeLessThanOrEqual(acknowledged);
    expect([distinct, last]).toEqual([count, count - 1]);
    expect(await answers()).toEqual(expected);

    // Persons can still change, although the database has later changes than the journal.
    await clientOf(service).batch([
      {
        event: '$identify',
        distinct_id: 'user-1',
        properties: { $set: { again: 'yes' } },
      },
    ]);
    const { body } = await clientOf(service).query({
      select: ['person.properties.again'],
      event: '$identify',
    });
    expect(body.results).toEqual([['yes']]);
  });

  it('can be made by administrators and backup tokens', async () => {
    const ask = async (
      method: 'GET' | 'POST',
      url: string,
      authorization?: string,
    ) => {
      const headers = authorization ? { authorization } : {};
      const response = await service.app.inject({ method, url, headers });
      return { status: response.statusCode, body: response.json() };
    };
    const bearer = async (name: string) =>
      `Bearer ${await portal.token(`user:default/${name}`)}`;
    expect((await ask('POST', '/api/backups')).status).toBe(401);
    expect((await ask('POST', '/api/backups', 'Bearer no')).status).toBe(401);
    const grace = await bearer('grace');
    expect((await ask('POST', '/api/backups', grace)).status).toBe(403);
    const token = `Bearer ${BACKUP_TOKEN}`;
    const ada = await bearer('ada');
    const made = await ask('POST', '/api/backups', ada);
    expect(made).toMatchObject({ status: 202, body: { state: 'running' } });
    expect((await ask('POST', '/api/backups', token)).status).toBe(409);
    const place = `/api/backups/${made.body.name}`;
    await vi.waitUntil(
      async () => (await ask('GET', place, token)).body.state === 'done',
      20_000,
    );
    // The rest of a backup that someone is deleting.
    await mkdir(path.join(directory, 'backups', '20200101T000000Z'));
    expect((await ask('GET', '/api/backups', token)).body).toEqual({
      backups: [
        expect.objectContaining({
          name: made.body.name,
          state: 'done',
          engine,
        }),
      ],
    });
    expect((await ask('GET', '/api/backups/..%2F..', token)).status).toBe(404);

    const backup = path.join(directory, 'backups', made.body.name);
    const into = ['--directory', path.join(directory, 'first')];
    expect(await command(['restore', backup, ...into])).toMatchObject({
      code: 2,
      text: expect.stringContaining('is not empty'),
    });
    expect(await command(['restore', directory, ...into])).toMatchObject({
      code: 2,
    });
  });
});
