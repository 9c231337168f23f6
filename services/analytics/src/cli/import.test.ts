import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Service } from '@slipway/service-kit';
import { FakePortal } from '@slipway/service-kit/testing';
import {
  API_TOKEN,
  clientOf,
  startAnalytics,
} from '../__testUtils__/startAnalytics.ts';
import { run } from './run.ts';

const uuid = (n: number) =>
  `01a1fd90-4447-707d-b85d-${String(n).padStart(12, '0')}`;

describe('yarn analytics import', () => {
  let directory: string;
  let portal: FakePortal;
  let service: Service;
  let url: string;
  let ada: Record<string, string>;
  let token: string;

  beforeEach(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'import-'));
    portal = await FakePortal.start({
      groups: { 'user:default/ada': ['group:default/platform-admins'] },
    });
    service = await startAnalytics({
      config: { portal: { baseUrl: portal.baseUrl } },
    });
    url = await service.start();
    ada = {
      authorization: `Bearer ${await portal.token('user:default/ada')}`,
    };
    token = await createToken(['import']);
  });

  afterEach(async () => {
    await service.stop();
    await portal.stop();
    await rm(directory, { recursive: true, force: true });
  });

  async function createToken(scopes: string[], projectId = 'other') {
    const { status, body } = await clientOf(service).post(
      `/api/projects/${projectId}/credentials`,
      { kind: 'query', name: `import ${scopes}`, scopes },
      ada,
    );
    expect(status).toBe(201);
    return body.secret as string;
  }

  const file = (name: string) => path.join(directory, name);
  const lines = (rows: readonly unknown[]) =>
    rows.map(row => `${JSON.stringify(row)}\n`).join('');

  async function start(args: string[], at = url) {
    let [out, err] = ['', ''];
    const code = await run(['import', ...args, '--project', 'other'], {
      environment: { ANALYTICS_URL: at, ANALYTICS_TOKEN: token },
      stdout: { write: text => (out += text) },
      stderr: { write: text => (err += text) },
    });
    return { code, out, err };
  }

  const exported = async (projectId: string) =>
    (
      await service.app.inject({
        url: `/api/projects/${projectId}/export`,
        headers: ada,
      })
    ).body;

  it('restores an export of this service with all timestamps, only once', async () => {
    const { status } = await clientOf(service).batch([
      ...Array.from({ length: 800 }, (_, n) => ({
        uuid: uuid(n),
        event: 'opened',
        distinct_id: `user-${n % 7}`,
        timestamp: new Date(Date.UTC(2026, 0, 1) + n * 61_001).toISOString(),
        properties: { n, text: 'ü"\\\u2028', nested: { list: [1, null] } },
      })),
      { event: '$identify', distinct_id: 'user-1', uuid: uuid(9_000) },
    ]);
    expect(status).toBe(200);
    const all = await exported('shop');
    await writeFile(file('events.ndjson'), all);
    expect(await start([file('events.ndjson')])).toMatchObject({
      code: 0,
      out: expect.stringContaining('801 events imported'),
    });
    expect(await exported('other')).toBe(all);
    expect(await start([file('events.ndjson')])).toMatchObject({
      code: 0,
      out: expect.stringContaining('the project had 801 already'),
    });
    expect(await exported('other')).toBe(all);
  });

  it('reads events and persons of PostHog, and reports what it cannot import', async () => {
    const row = (n: number, more: object) => ({
      uuid: uuid(n),
      team_id: 7,
      event: '$pageview',
      distinct_id: 'ada',
      person_id: '0190-p1',
      timestamp: '2024-02-29 23:59:59.123456',
      created_at: '2024-03-01T00:00:01.000000+00:00',
      properties: JSON.stringify({ $current_url: 'https://shop.test/a' }),
      person_properties: '{}',
      set: null,
      elements_chain: '',
      ...more,
    });
    const events = [
      row(1, {}),
      row(2, {
        event: '$identify',
        properties: { $anon_distinct_id: 'device-1' },
        set: '{"plan":"pro"}',
        person_properties: '{"plan":"free"}',
      }),
      row(3, { distinct_id: 'device-1', elements_chain: 'a.buy:href="/x"' }),
      row(4, { event: '' }),
      row(5, { timestamp: 'yesterday' }),
      row(6, { properties: '{"deep\\u0000": "a\\u0000b"}' }),
      // A page of the API.
      {
        next: null,
        results: [
          {
            id: uuid(7),
            event: 'bought',
            distinct_id: 'grace',
            timestamp: '2024-03-01T10:00:00Z',
            properties: { total: 12.5 },
            person: null,
            elements: [],
          },
        ],
      },
    ];
    await writeFile(
      file('events.jsonl.gz'),
      gzipSync(`${lines(events)}{"broken\n`),
    );
    await writeFile(
      file('persons.jsonl'),
      lines([
        {
          person_id: '0190-p2',
          distinct_id: 'grace',
          properties: '{"email":"grace@example.com"}',
          created_at: '2024-01-01 00:00:00.000',
          is_identified: true,
        },
        { person_id: '0190-p2', distinct_id: 'grace-phone', properties: '{}' },
      ]),
    );
    const files = [file('events.jsonl.gz'), file('persons.jsonl')];
    const dry = await start([...files, '--dry-run']);
    expect(dry.out).toContain('5 events would be imported');
    expect(await exported('other')).toBe('');

    const { code, out } = await start(files);
    expect(code).toBe(1);
    expect(out).toContain('5 events imported');
    expect(out).toContain('1 not imported: no event name (first in line 4)');
    expect(out).toContain(
      'no timestamp between 1970 and 2105 (first in line 5',
    );
    expect(out).toContain('not a JSON object (first in line 8)');
    expect(out).toContain('1 without their person properties at the time');
    expect(out).toContain('2 ids of persons imported');
    const rows = (await exported('other'))
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line));
    expect(rows).toHaveLength(5);
    expect(rows[0]).toEqual({
      uuid: uuid(1),
      event: '$pageview',
      distinct_id: 'ada',
      timestamp: '2024-02-29T23:59:59.123Z',
      created_at: '2024-03-01T00:00:01.000Z',
      properties: { $current_url: 'https://shop.test/a' },
    });
    expect(rows[2].properties).toEqual({
      $current_url: 'https://shop.test/a',
      $elements_chain: 'a.buy:href="/x"',
    });
    const person = async (id: string) =>
      (
        await service.app.inject({
          url: `/api/projects/other/persons/${id}`,
          headers: ada,
        })
      ).json();
    expect(await person('device-1')).toMatchObject({
      id: 'ada',
      properties: { plan: 'pro' },
    });
    expect(await person('grace-phone')).toMatchObject({
      id: 'grace',
      distinct_ids: ['grace', 'grace-phone'],
      is_identified: true,
      properties: { email: 'grace@example.com' },
    });
  });

  it('resumes where it was interrupted', async () => {
    await writeFile(
      file('many.jsonl'),
      lines(
        Array.from({ length: 5_000 }, (_, n) => ({
          // Without a uuid: one is derived from the row.
          event: 'opened',
          distinct_id: `user-${n}`,
          timestamp: '2025-01-01T00:00:00Z',
          properties: {},
        })),
      ),
    );
    // Stores the first request, stores the second but fails to respond, then refuses the token.
    let requests = 0;
    const flaky: Server = createServer(async (request, response) => {
      requests += 1;
      if (requests <= 2) {
        const answer = await fetch(url + request.url, {
          method: 'POST',
          headers: {
            authorization: request.headers.authorization!,
            'content-type': 'application/json',
            'content-encoding': 'gzip',
          },
          body: request as never,
          duplex: 'half',
        } as RequestInit);
        if (requests === 1) {
          response.end(await answer.text());
          return;
        }
        await answer.text();
        request.socket.destroy();
        return;
      }
      response.writeHead(401).end('{"detail":"Closed"}');
    });
    await new Promise<void>(resolve => {
      flaky.listen(0, '127.0.0.1', resolve);
    });
    const { port } = flaky.address() as AddressInfo;
    const first = await start([file('many.jsonl')], `http://127.0.0.1:${port}`);
    flaky.close();
    expect(first).toMatchObject({
      code: 2,
      err: expect.stringContaining('Closed'),
    });
    expect(await readdir(directory)).toContain('many.jsonl.import-state');
    // A stored position is only valid for the same service address.
    const state = file('many.jsonl.import-state');
    const text = await readFile(state, 'utf8');
    await writeFile(state, text.replace(`http://127.0.0.1:${port}`, url));
    expect(await start([file('many.jsonl')])).toMatchObject({
      code: 0,
      out: expect.stringMatching(
        /2000 imported by an earlier run\n {2}3000 events imported, of which the project had 2000 already/,
      ),
    });
    expect((await exported('other')).trimEnd().split('\n')).toHaveLength(5_000);
    expect(await readdir(directory)).toEqual(['many.jsonl']);
  });

  it('requires a token with the import scope, or an administrator', async () => {
    const events = '/api/projects/other/events';
    const persons = '/api/projects/other/persons';
    const batch = [{ event: 'x', distinct_id: 'y' }];
    const post = async (to: string, body: object, secret?: string) =>
      (
        await clientOf(service).post(to, body, {
          ...(secret && { authorization: `Bearer ${secret}` }),
        })
      ).status;
    expect(await post(events, { batch })).toBe(401);
    expect(await post(events, { batch }, API_TOKEN)).toBe(403);
    expect(await post(events, { batch }, await createToken(['query']))).toBe(
      403,
    );
    expect(
      await post(events, { batch }, await createToken(['import'], 'shop')),
    ).toBe(403);
    expect(await post(events, { batch }, token)).toBe(200);
    expect(await post(events, { batch: [{ event: 'x' }] }, token)).toBe(400);
    const body = { persons: [{ distinct_ids: ['a'], created_at: 'never' }] };
    expect(await post(persons, body, token)).toBe(400);
    expect(await post(persons, { persons: [] }, token)).toBe(400);
    expect(await post('/api/projects/none/events', { batch }, token)).toBe(403);
    const grace = await portal.token('user:default/grace');
    expect(await post(events, { batch }, grace)).toBe(403);
    expect((await start([file('missing')])).code).toBe(2);
    expect(
      await run([], {
        environment: {},
        stdout: { write: () => undefined },
        stderr: { write: () => undefined },
      }),
    ).toBe(2);
  });
});
