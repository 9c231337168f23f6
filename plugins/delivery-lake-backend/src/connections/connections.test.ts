import { createHmac } from 'node:crypto';
import type { ConnectionWithSecret } from '@slipway/plugin-delivery-lake-common';
import request from 'supertest';
import { DatabaseConnectionStore } from '../storage/DatabaseConnectionStore';
import gitlabPush from '../webhooks/__fixtures__/gitlab/push.json';
import { lakeConfig } from '../webhooks/__testUtils__/mapping';
import { mapDelivery } from '../webhooks/mapDelivery';
import {
  type Lake,
  NOBODY,
  PERSON,
  SERVICE,
  startLake,
} from '../webhooks/__testUtils__/startLake';
import { lakeDatabases } from '../storage/__testUtils__/lakeDatabases';

const PUSH = JSON.stringify({
  ref: 'refs/heads/main',
  after: 'a'.repeat(40),
  repository: { full_name: 'Shop/Cart', default_branch: 'main' },
  commits: [
    {
      id: 'a'.repeat(40),
      message: 'Round totals',
      timestamp: '2026-03-05T09:00:00+01:00',
      author: { name: 'Ada Lovelace' },
    },
  ],
});
const PATH = '/api/delivery-lake';

const databases = lakeDatabases();

describe.each(databases.eachSupportedId())('connections on %s', databaseId => {
  let lake: Lake;

  beforeEach(async () => {
    const knex = await databases.init(databaseId);
    lake = await startLake({ connections: new DatabaseConnectionStore(knex) });
  });
  afterEach(() => lake.stop());

  const call = (method: 'get' | 'post' | 'delete', path: string) =>
    request(lake.server)[method](`${PATH}${path}`).set('Authorization', PERSON);

  async function connect(
    body: object = { forge: 'github', repository: 'shop/cart' },
  ): Promise<ConnectionWithSecret> {
    return (await call('post', '/connections').send(body).expect(201)).body;
  }

  const deliver = (
    connection: { webhookUrl: string },
    { secret, body = PUSH }: { secret: string; body?: string },
  ) =>
    request(lake.server)
      .post(new URL(connection.webhookUrl).pathname)
      .set('Authorization', NOBODY)
      .set('Content-Type', 'application/json')
      .set('X-GitHub-Event', 'push')
      .set('X-GitHub-Delivery', 'd-1')
      .set(
        'X-Hub-Signature-256',
        `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
      )
      .send(body);

  it('creates an address and a secret that is only shown once', async () => {
    const { secret, ...connection } = await connect({
      forge: 'github',
      repository: 'https://github.com/shop/cart.git',
    });
    expect(secret).toMatch(/^[\w-]{43}$/);
    expect(connection).toEqual({
      id: expect.stringMatching(/^connection-/),
      forge: 'github',
      repository: 'shop/cart',
      createdBy: 'user:default/ada',
      createdAt: '2026-03-05T09:00:00.000Z',
      webhookUrl: `https://portal.example.org${PATH}/webhooks/connections/${connection.id}`,
      lastDelivery: null,
      lastRefusedAt: null,
    });
    const { body: list } = await call('get', '/connections');
    expect(list).toEqual({ connections: [connection] });
    expect((await call('get', `/connections/${connection.id}`)).body).toEqual(
      connection,
    );
  });

  it('ingests signed deliveries, and records their outcomes', async () => {
    const connection = await connect();
    const { status, body } = await deliver(connection, connection);
    expect([status, body.accepted]).toEqual([200, 1]);
    const path = `/connections/${connection.id}`;
    expect((await call('get', path)).body.lastDelivery).toEqual({
      at: '2026-03-05T09:00:00.000Z',
      event: 'push',
      accepted: 1,
      ignored: null,
    });

    expect((await deliver(connection, { secret: 'wrong' })).status).toBe(401);
    expect((await call('get', path)).body.lastRefusedAt).toBe(
      '2026-03-05T09:00:00.000Z',
    );
  });

  it('ignores deliveries about another repository', async () => {
    const connection = await connect({
      forge: 'github',
      repository: 'shop/till',
    });
    const { status, body } = await deliver(connection, connection);
    expect([status, body.accepted]).toEqual([200, 0]);
    expect(body.ignored).toBe(
      'The delivery is about Shop/Cart; this connection is for shop/till',
    );
  });

  it('recognizes the repository at the common webhook', async () => {
    await connect();
    const post = (id: string, body: string) =>
      request(lake.server)
        .post(`${PATH}/webhooks/github`)
        .set('Authorization', SERVICE)
        .set('Content-Type', 'application/json')
        .set('X-GitHub-Event', 'push')
        .set('X-GitHub-Delivery', id)
        .send(body)
        .expect(200);
    await post('d-1', PUSH);
    await post('d-2', PUSH.replace('Shop/Cart', 'Shop/Cart\\u0000'));
    expect(
      lake.ingest.deliveries.map(({ delivery }) => delivery.context),
    ).toEqual([{ connected: 'shop/cart' }, { connected: 'shop/cart' }]);
    await post('d-3', PUSH.replace('Shop/Cart', 'Shop/Till'));
    expect(lake.ingest.deliveries[2].delivery.context).toBeUndefined();
  });

  it('ignores them again when all deliveries are read again', async () => {
    const connection = await connect({
      forge: 'github',
      repository: 'shop/till',
    });
    await deliver(connection, connection).expect(200);
    const [{ delivery, ignored }] = lake.ingest.deliveries;
    expect(mapDelivery(delivery, lakeConfig())).toEqual({ items: [], ignored });
  });

  it("accepts GitLab's token", async () => {
    const connection = await connect({
      forge: 'gitlab',
      repository: gitlabPush.project.path_with_namespace,
    });
    const send = (token: string) =>
      request(lake.server)
        .post(new URL(connection.webhookUrl).pathname)
        .set('Authorization', NOBODY)
        .set('X-Gitlab-Event', 'Push Hook')
        .set('X-Gitlab-Token', token)
        .send(gitlabPush);
    expect((await send(connection.secret)).status).toBe(200);
    expect((await send('wrong')).status).toBe(401);
  });

  it('replaces the secret', async () => {
    const old = await connect();
    const { body: renewed } = await call(
      'post',
      `/connections/${old.id}/secret`,
    ).expect(200);
    expect(renewed.secret).not.toBe(old.secret);
    expect((await deliver(old, old)).status).toBe(401);
    expect((await deliver(old, renewed)).status).toBe(200);
  });

  it('rejects deliveries of a removed connection like a wrong signature', async () => {
    const connection = await connect();
    await call('delete', `/connections/${connection.id}`).expect(204);
    const { status, body } = await deliver(connection, connection);
    expect({ status, body }).toEqual({
      status: 401,
      body: { error: 'The signature does not match' },
    });
    await call('delete', `/connections/${connection.id}`).expect(404);
    await call('get', `/connections/${connection.id}`).expect(404);
    await call('post', `/connections/${connection.id}/secret`).expect(404);
  });

  it('responds 404 to ids that no connection can have', async () => {
    const statuses = [
      await call('get', '/connections/%00'),
      await call('delete', '/connections/%00'),
      await call('post', '/connections/%00/secret'),
    ].map(({ status }) => status);
    expect(statuses).toEqual([404, 404, 404]);
  });

  it('connects a repository once', async () => {
    await connect();
    const { status, body } = await call('post', '/connections').send({
      forge: 'github',
      repository: 'SHOP/cart',
    });
    expect({ status, body }).toEqual({
      status: 409,
      body: { error: 'SHOP/cart is already connected' },
    });
    await connect({ forge: 'gitlab', repository: 'shop/cart' });
  });

  it.each([
    [{ forge: 'svn', repository: 'shop/cart' }, 'forge'],
    [{ forge: 'github' }, 'repository'],
    [{ forge: 'github', repository: 'cart' }, 'repository'],
    [{ forge: 'github', repository: `${'x'.repeat(300)}/y` }, 'repository'],
    [{ forge: 'github', repository: 'shop/cart', secret: 'mine' }, 'secret'],
  ])('rejects %j, naming %s', async (body, field) => {
    const answer = await call('post', '/connections').send(body);
    expect(answer.status).toBe(400);
    expect(answer.body.error).toContain(field);
  });
});

it('is only for administrators', async () => {
  const knex = await databases.init('SQLITE_3');
  const lake = await startLake({
    connections: new DatabaseConnectionStore(knex),
    permitted: false,
  });
  const path = `${PATH}/connections`;
  await request(lake.server).get(path).set('Authorization', PERSON).expect(403);
  await request(lake.server)
    .post(path)
    .set('Authorization', PERSON)
    .send({})
    .expect(403);
  await request(lake.server).get(path).set('Authorization', NOBODY).expect(401);
  await lake.stop();
});
