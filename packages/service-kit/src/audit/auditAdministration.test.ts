import { Type } from 'typebox';
import type { Database } from '../database/openDatabase.ts';
import { groupCErrors } from '../errors/ErrorFormat.ts';
import { NotFoundError } from '../errors/ServiceError.ts';
import type { Service } from '../service/createService.ts';
import { defineService } from '../service/ServiceKit.ts';
import { openTestDatabase, testDatabaseClients } from '../testing/databases.ts';
import { FakePortal } from '../testing/FakePortal.ts';
import { startTestService } from '../testing/startTestService.ts';
import { auditAdministration } from './auditAdministration.ts';

const ADMINS = 'group:default/platform-admins';
const START = Date.parse('2026-11-22T12:00:00Z');

describe.each(testDatabaseClients())('the audit log on %s', client => {
  let portal: FakePortal;
  let service: Service;
  let opened: { database: Database; dispose(): Promise<void> };
  let now: number;

  beforeEach(async () => {
    now = START;
    portal = await FakePortal.start({
      groups: { 'user:default/ada': [ADMINS] },
    });
    opened = await openTestDatabase(client);
    service = await startTestService(
      defineService({
        name: 'example',
        title: 'Example',
        configKey: 'example',
        configSchema: Type.Object({}),
        defaults: { port: 0, perMinute: 100 },
        errors: groupCErrors,
        setUp(kit) {
          const { app, auth } = kit;
          const access = auth.admin([ADMINS]);
          auditAdministration(kit, { access });
          const schema = { summary: 'Create a thing' };
          app.post('/things', { config: { access }, schema }, () => ({}));
          app.get('/things', { config: { access } }, () => ({}));
          app.delete(
            '/shelves/:shelf/tokens/:token',
            { config: { access }, schema: { summary: 'Delete a token' } },
            () => ({}),
          );
          app.put('/things/:id', { config: { access } }, () => {
            throw new NotFoundError('No such thing');
          });
          const session = auth.portalUser();
          app.post('/mine', { config: { access: session } }, () => ({}));
          app.post(
            '/leave',
            {
              config: { access: session, audited: true },
              schema: { summary: 'Leave' },
            },
            () => ({}),
          );
        },
      }),
      {
        config: { portal: { baseUrl: portal.baseUrl } },
        database: opened.database,
        now: () => now,
      },
    );
  });

  afterEach(async () => {
    await service.stop();
    await opened.dispose();
    await portal.stop();
  });

  const send = async (
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    url: string,
    { user = 'user:default/ada', body }: { user?: string; body?: object } = {},
  ) => {
    now += 1_000;
    const response = await service.app.inject({
      method,
      url,
      headers: {
        cookie: await portal.cookie(user),
        origin: 'http://localhost:3000',
      },
      ...(body && { payload: body }),
    });
    return { status: response.statusCode, body: response.json() };
  };

  it('has what admins changed, newest first, and nothing else', async () => {
    await send('POST', '/things', { body: { name: 'Lamp', secret: 's3cret' } });
    await send('GET', '/things');
    await send('PUT', '/things/7');
    await send('POST', '/things', { user: 'user:default/grace' });
    await send('POST', '/mine');
    await send('POST', '/leave', { user: 'user:default/grace' });
    await send('DELETE', '/shelves/left/tokens/s3cret');
    const { status, body } = await send('GET', '/api/v1/audit');
    expect(status).toBe(200);
    expect(body).toEqual({
      entries: [
        {
          id: expect.any(String),
          at: '2026-11-22T12:00:07.000Z',
          by: 'user:default/ada',
          action: 'Delete a token',
          target: 'left',
        },
        expect.objectContaining({
          by: 'user:default/grace',
          action: 'Leave',
          target: null,
        }),
        expect.objectContaining({ action: 'Create a thing', target: 'Lamp' }),
      ],
      truncated: false,
    });
  });

  it('is filtered by text and time, and reports if there is more', async () => {
    for (const name of ['Lamp', 'Lampshade', '100%']) {
      await send('POST', '/things', { body: { name } });
    }
    const targets = async (query: string) => {
      const { body } = await send('GET', `/api/v1/audit?${query}`);
      return body.entries.map(({ target }: { target: string }) => target);
    };
    expect(await targets('q=lamp')).toEqual(['Lampshade', 'Lamp']);
    expect(await targets('q=0%25')).toEqual(['100%']);
    expect(await targets('q=_')).toEqual([]);
    expect(await targets('to=2026-11-22T12:00:02Z')).toEqual(['Lamp']);
    expect(await targets('from=2026-11-22T12:00:03Z')).toEqual(['100%']);
    const { body } = await send('GET', '/api/v1/audit?limit=2');
    expect(body).toMatchObject({ truncated: true });
    expect(body.entries).toHaveLength(2);
  });

  it('finds names as they are written, in any alphabet', async () => {
    await send('POST', '/things', { body: { name: 'Élan' } });
    const { body } = await send(
      'GET',
      `/api/v1/audit?q=${encodeURIComponent('Élan')}`,
    );
    expect(body.entries).toEqual([expect.objectContaining({ target: 'Élan' })]);
  });

  it('is reserved for admins, and names the invalid parameter of a query', async () => {
    const refused = await send('GET', '/api/v1/audit', {
      user: 'user:default/grace',
    });
    expect(refused.status).toBe(403);
    for (const query of ['from=yesterday', 'limit=0', 'limit=501']) {
      const { status, body } = await send('GET', `/api/v1/audit?${query}`);
      expect(status).toBe(400);
      expect(JSON.stringify(body)).toContain(query.split('=')[0]);
    }
  });
});
