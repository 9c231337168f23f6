import { parquetReadObjects } from 'hyparquet';
import type { Service } from '@slipway/service-kit';
import {
  clientOf,
  startAnalytics,
  allEngines,
} from '../__testUtils__/startAnalytics.ts';

const NOW = Date.parse('2026-11-21T10:00:00.000Z');

describe.each(allEngines)('an export of %s', engine => {
  let service: Service;
  let client: ReturnType<typeof clientOf>;

  // Each test has its own project.
  beforeAll(async () => {
    service = await startAnalytics({
      engine,
      now: () => NOW,
      config: {
        rateLimit: { enabled: false },
        projects: ['pages', 'formulas', 'scopes'].map(id => ({
          id,
          name: id,
          keys: [{ name: 'test', key: `phc_${id}` }],
          apiTokens: [{ name: 'test', key: `phx_${id}` }],
        })),
      },
    });
    client = clientOf(service);
  });

  afterAll(() => service.stop());

  const download = (
    projectId: string,
    query: string,
    token = `phx_${projectId}`,
  ) =>
    service.app.inject({
      url: `/api/projects/${projectId}/export?${query}`,
      headers: { authorization: `Bearer ${token}` },
    });

  it('contains every event once, across several pages', async () => {
    const sent: string[] = [];
    for (let batch = 0; batch < 26; batch += 1) {
      const events = Array.from({ length: 1_000 }, (_, index) => {
        const n = batch * 1_000 + index;
        const uuid = `01a1fd90-4447-707d-b85d-${String(n).padStart(12, '0')}`;
        sent.push(uuid);
        return {
          uuid,
          event: 'opened',
          distinct_id: `user-${n % 50}`,
          // Most events have the same time.
          timestamp: new Date(
            n < 4_000 ? NOW - 90 * 24 * 3_600_000 - n * 1_000 : NOW - 1_000,
          ).toISOString(),
        };
      });
      expect((await client.batch(events, 'phc_pages')).status).toBe(200);
    }
    const { statusCode, headers, body } = await download(
      'pages',
      'format=ndjson',
    );
    expect(statusCode).toBe(200);
    expect(headers['content-type']).toBe('application/x-ndjson');
    const rows = body
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line));
    expect(rows.map(({ uuid }) => uuid).sort()).toEqual(sent);
    const times = rows.map(({ timestamp }) => timestamp);
    expect(times).toEqual([...times].sort());

    const parquet = (await download('pages', 'format=parquet')).rawPayload;
    const file = new Uint8Array(parquet).buffer;
    const read = await parquetReadObjects({ file });
    expect(read.map(({ uuid }) => uuid)).toEqual(rows.map(({ uuid }) => uuid));
    expect(read[0]).toMatchObject({
      event: 'opened',
      timestamp: new Date(rows[0].timestamp),
    });
  });

  it('is CSV that spreadsheets do not evaluate as formulas', async () => {
    await client.capture(
      {
        event: '=1+1',
        distinct_id: 'a,"b"',
        uuid: '01a1fd90-4447-707d-b85d-000000000001',
        properties: { text: 'x\ny' },
        timestamp: '2026-11-20T10:00:00Z',
      },
      'phc_formulas',
    );
    const { body } = await download('formulas', 'format=csv');
    expect(body).toBe(
      [
        'uuid,event,distinct_id,timestamp,created_at,properties',
        `01a1fd90-4447-707d-b85d-000000000001,'=1+1,"a,""b""",2026-11-20T10:00:00.000Z,2026-11-21T10:00:00.000Z,"{""text"":""x\\ny""}"`,
        '',
      ].join('\r\n'),
    );
  });

  it('is limited to a period, an event and authorized readers', async () => {
    await client.batch(
      [
        { event: 'a', distinct_id: 'x', timestamp: '2026-11-20T10:00:00Z' },
        { event: 'b', distinct_id: 'x', timestamp: '2026-11-20T11:00:00Z' },
        { event: 'a', distinct_id: 'x', timestamp: '2026-11-10T10:00:00Z' },
      ],
      'phc_scopes',
    );
    const { body } = await download('scopes', 'event=a&after=-7d');
    expect(body.trimEnd().split('\n')).toHaveLength(1);
    expect((await download('scopes', 'event=none')).body).toBe('');
    const long = await download('scopes', `event=${'x'.repeat(1_000)}`);
    expect(long.statusCode).toBe(200);
    expect((await download('scopes', '', 'phx_pages')).statusCode).toBe(403);
    expect((await download('scopes', '', 'phx_wrong')).statusCode).toBe(401);
    const wrong = await download('scopes', 'after=yesterday');
    expect(wrong.statusCode).toBe(400);
    expect((await download('scopes', 'format=xml')).statusCode).toBe(400);
  });
});
