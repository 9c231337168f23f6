import { configuredToken } from '@slipway/entity-contract';
import { Type } from 'typebox';
import type { CredentialUses } from '../auth/CredentialUses.ts';
import type { Database } from '../database/openDatabase.ts';
import { groupCErrors } from '../errors/ErrorFormat.ts';
import { Receiver } from '../outbox/__fixtures__/Receiver.ts';
import type { Outbox } from '../outbox/Outbox.ts';
import type { RegisteredEndpoint } from '../outbox/WebhookEndpoints.ts';
import { webhookAdminRoutes } from '../outbox/webhookAdmin.ts';
import type { Service } from '../service/createService.ts';
import { defineService } from '../service/ServiceKit.ts';
import { openTestDatabase, testDatabaseClients } from '../testing/databases.ts';
import { FakePortal } from '../testing/FakePortal.ts';
import { startTestService } from '../testing/startTestService.ts';
import { administrationRoute } from './administrationRoute.ts';

const ADMINS = 'group:default/platform-admins';
const START = Date.parse('2026-11-22T12:00:00Z');
const SECRET = 'never-to-be-shown-anywhere';

describe.each(testDatabaseClients())('administration on %s', client => {
  let portal: FakePortal;
  let service: Service;
  let outbox: Outbox;
  let uses: CredentialUses;
  let opened: { database: Database; dispose(): Promise<void> };
  let receiver: Receiver;
  let hook: RegisteredEndpoint;

  beforeEach(async () => {
    portal = await FakePortal.start({
      groups: { 'user:default/ada': [ADMINS] },
    });
    opened = await openTestDatabase(client);
    receiver = new Receiver();
    hook = await receiver.listen();
    hook.url += `?token=${SECRET}`;
    service = await startTestService(
      defineService({
        name: 'example',
        title: 'Example',
        configKey: 'example',
        configSchema: Type.Object({}),
        defaults: { port: 0, perMinute: 100 },
        errors: groupCErrors,
        setUp(kit) {
          const access = kit.auth.admin([ADMINS]);
          ({ outbox, uses } = kit);
          outbox.endpoints.add({
            id: 'own',
            kind: 'Part of the platform',
            url: hook.url,
            events: [],
            headers: { Authorization: `Bearer ${SECRET}` },
          });
          webhookAdminRoutes(kit.app, {
            path: '/hooks',
            access,
            outbox,
            events: ['done'],
            format: {
              names: 'camelCase',
              listsConfigured: false,
              showsPayload: false,
              removed: 204,
            },
          });
          kit.app.get(
            '/',
            { config: { access: kit.auth.apiKey() } },
            () => ({}),
          );
          administrationRoute(kit, {
            access,
            webhooks: '/hooks',
            report: async () => ({
              roles: [{ name: 'Admins', groups: [ADMINS], may: ['Do it'] }],
              tokens: [
                configuredToken({ id: 'x', name: 'Forge', kind: 'outgoing' }),
              ],
            }),
          });
        },
      }),
      {
        config: {
          portal: { baseUrl: portal.baseUrl },
          auth: { apiKeys: [{ name: 'ci', key: SECRET, scopes: ['read'] }] },
          webhooks: [{ ...hook, id: 'chat', events: ['*'] }],
          egress: { allowedHosts: ['127.0.0.1'] },
        },
        database: opened.database,
        now: () => START,
      },
    );
  });

  afterEach(async () => {
    await service.stop();
    receiver.close();
    await opened.dispose();
    await portal.stop();
  });

  const send = async (
    path: string,
    { user, body }: { user?: string; body?: object } = {},
  ) =>
    service.app.inject({
      method: body ? 'POST' : 'GET',
      url: path,
      headers: {
        ...(user && { cookie: await portal.cookie(`user:default/${user}`) }),
        origin: 'http://localhost:3000',
      },
      ...(body && { payload: body }),
    });

  it('has the roles, keys and webhooks of a service, without any secret', async () => {
    const registered = await send('/hooks', {
      user: 'ada',
      body: { url: hook.url, secret: SECRET },
    });
    const response = await send('/api/v1/administration', { user: 'ada' });
    expect(response.statusCode).toBe(200);
    expect(response.body).not.toContain(SECRET);
    expect(response.body).not.toContain(hook.secret);
    const nothingKnown = {
      configured: true,
      createdAt: null,
      createdBy: null,
      expiresAt: null,
    };
    const outgoing = {
      direction: 'outgoing',
      kind: 'Webhook',
      host: new URL(hook.url).host,
      events: ['*'],
      configured: true,
      signed: true,
      paused: false,
      lastAt: null,
      error: null,
      failures: 0,
    };
    const { id } = registered.json();
    expect(response.json()).toEqual({
      roles: [{ name: 'Admins', groups: [ADMINS], may: ['Do it'] }],
      tokens: [
        {
          id: 'x',
          name: 'Forge',
          kind: 'outgoing',
          scopes: [],
          ...nothingKnown,
        },
        {
          id: 'api-key-0',
          name: 'ci',
          kind: 'api-key',
          scopes: ['read'],
          lastUsedAt: null,
          ...nothingKnown,
        },
      ],
      webhooks: [
        { ...outgoing, id: 'chat', name: 'chat' },
        {
          ...outgoing,
          id: 'own',
          name: 'own',
          kind: 'Part of the platform',
          events: [],
          signed: false,
        },
        {
          ...outgoing,
          id,
          name: new URL(hook.url).host,
          configured: false,
          remove: `/hooks/${id}`,
        },
      ],
    });
  });

  it('tells how the last delivery went, and counts failures until the next success', async () => {
    const stateOf = async () => {
      const response = await send('/api/v1/administration', { user: 'ada' });
      const { lastAt, error, failures } = response
        .json()
        .webhooks.find((each: { id: string }) => each.id === 'chat');
      return { lastAt, error, failures };
    };
    const tell = async () => {
      await opened.database.transaction(trx =>
        outbox.enqueue(trx, { name: 'done', payload: {}, to: ['chat'] }),
      );
      outbox.wake();
    };
    receiver.answer = () => 500;
    await tell();
    await vi.waitFor(async () =>
      expect(await stateOf()).toEqual({
        lastAt: '2026-11-22T12:00:00.000Z',
        error: expect.stringContaining('500'),
        failures: 1,
      }),
    );
    receiver.answer = () => 204;
    await tell();
    await vi.waitFor(async () =>
      expect(await stateOf()).toEqual({
        lastAt: '2026-11-22T12:00:00.000Z',
        error: null,
        failures: 0,
      }),
    );
  });

  it('resends what a webhook has not accepted, including deliveries that were given up', async () => {
    const chat = async () => {
      const response = await send('/api/v1/administration', { user: 'ada' });
      return response
        .json()
        .webhooks.find((each: { id: string }) => each.id === 'chat');
    };
    receiver.answer = () => 500;
    await opened.database.transaction(async trx => {
      await outbox.enqueue(trx, { name: 'done', payload: {}, to: ['chat'] });
      await outbox.enqueue(trx, { name: 'done', payload: {}, to: ['chat'] });
    });
    outbox.wake();
    await vi.waitFor(async () => expect((await chat()).failures).toBe(2));
    await opened.database
      .knex('kit_queue')
      .update({ state: 'failed', ended_at: START });

    receiver.answer = () => 204;
    const before = receiver.received.length;
    const { redeliver } = await chat();
    const sent = await send(redeliver, { user: 'ada', body: {} });
    expect([sent.statusCode, sent.json()]).toEqual([202, { deliveries: 2 }]);
    await vi.waitFor(async () => expect((await chat()).failures).toBe(0));
    expect(receiver.received.length - before).toBe(2);
    // Nothing is left to resend.
    expect((await chat()).redeliver).toBeUndefined();
    expect((await send(redeliver, { user: 'ada', body: {} })).json()).toEqual({
      deliveries: 0,
    });
    const none = redeliver.replace('chat', 'none');
    expect((await send(none, { user: 'ada', body: {} })).statusCode).toBe(404);
    expect(
      (await send(redeliver, { user: 'grace', body: {} })).statusCode,
    ).toBe(403);
  });

  it('tells when a key was last used', async () => {
    const lastUse = async () => {
      const response = await send('/api/v1/administration', { user: 'ada' });
      return response
        .json()
        .tokens.find(({ kind }: { kind: string }) => kind === 'api-key')
        .lastUsedAt;
    };
    const call = (key: string) =>
      service.app.inject({ url: '/', headers: { 'x-api-key': key } });
    expect((await call('wrong')).statusCode).toBe(401);
    expect(await lastUse()).toBeNull();
    expect((await call(SECRET)).statusCode).toBe(200);
    expect(await lastUse()).toBe('2026-11-22T12:00:00.000Z');
    const rows = await opened.database.knex('kit_credential_uses');
    expect(rows).toEqual([]);
    await uses.store();
    expect(await lastUse()).toBe('2026-11-22T12:00:00.000Z');
    const [row] = await opened.database.knex('kit_credential_uses');
    expect(JSON.stringify(row)).not.toContain(SECRET);
  });

  it('is reserved for admins', async () => {
    expect((await send('/api/v1/administration')).statusCode).toBe(401);
    const refused = await send('/api/v1/administration', { user: 'grace' });
    expect(refused.statusCode).toBe(403);
  });

  it('writes uses down later if the database fails', async () => {
    const { knex } = opened.database;
    await knex.schema.renameTable('kit_credential_uses', 'gone');
    uses.note('apiKey:example');
    await expect(uses.store()).rejects.toThrow();
    await knex.schema.renameTable('gone', 'kit_credential_uses');
    await uses.store();
    const [row] = await knex('kit_credential_uses');
    expect(row).toMatchObject({ credential: 'apiKey:example' });
  });

  it('knows a use while it is being stored, and the later one of another replica', async () => {
    uses.note('apiKey:example');
    const storing = uses.store();
    expect(await uses.all()).toEqual(new Map([['apiKey:example', START]]));
    await storing;
    await opened.database
      .knex('kit_credential_uses')
      .update({ used_at: START + 1 });
    uses.note('apiKey:example');
    expect(await uses.all()).toEqual(new Map([['apiKey:example', START + 1]]));
    await uses.store();
    expect(await uses.all()).toEqual(new Map([['apiKey:example', START + 1]]));
  });
});
