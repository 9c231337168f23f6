import { createHmac } from 'node:crypto';
import request from 'supertest';
import { lakeDatabases } from '../storage/__testUtils__/lakeDatabases';
import { DatabaseConnectionStore } from '../storage/DatabaseConnectionStore';
import jiraIssue from '../webhooks/__fixtures__/jira/issue.json';
import incident from '../webhooks/__fixtures__/pagerduty/incident.json';
import ping from '../webhooks/__fixtures__/pagerduty/ping.json';
import {
  type Lake,
  NOBODY,
  PERSON,
  startLake,
} from '../webhooks/__testUtils__/startLake';
import { connectedName } from './connectedName';

const PATH = '/api/delivery-lake';
const SECRET = 'aB3+xyz/0123456789=';

const databases = lakeDatabases();

describe.each(databases.eachSupportedId())('trackers on %s', databaseId => {
  let lake: Lake;

  beforeEach(async () => {
    const knex = await databases.init(databaseId);
    lake = await startLake({ connections: new DatabaseConnectionStore(knex) });
  });
  afterEach(() => lake.stop());

  const call = (method: 'get' | 'post' | 'put', path: string) =>
    request(lake.server)[method](`${PATH}${path}`).set('Authorization', PERSON);

  async function connect(forge: string, repository: string) {
    const { body } = await call('post', '/connections')
      .send({ forge, repository })
      .expect(201);
    return body;
  }

  function deliver(options: {
    id: string;
    body: object;
    secret: string;
    header?: string;
  }) {
    const text = JSON.stringify(options.body);
    const hex = createHmac('sha256', options.secret).update(text).digest('hex');
    const header = options.header ?? 'X-PagerDuty-Signature';
    const version = header === 'X-PagerDuty-Signature' ? 'v1' : 'sha256';
    return request(lake.server)
      .post(`${PATH}/webhooks/connections/${options.id}`)
      .set('Authorization', NOBODY)
      .set('Content-Type', 'application/json')
      .set(header, `${version}=${hex}`)
      .send(text);
  }

  it('waits for the secret that PagerDuty creates, and never shows it', async () => {
    const { id, ...created } = await connect(
      'pagerduty',
      'https://Acme.pagerduty.com/service-directory/PF9KMXH',
    );
    expect(created).toMatchObject({
      forge: 'pagerduty',
      repository: 'acme.pagerduty.com',
      needsSecret: true,
      webhookUrl: expect.stringContaining(`/webhooks/connections/${id}`),
    });
    expect(created).not.toHaveProperty('secret');
    await deliver({ id, body: ping, secret: '' }).expect(401);
    await deliver({ id, body: ping, secret: SECRET }).expect(401);

    const path = `/connections/${id}`;
    const entered = await call('put', `${path}/secret`)
      .send({ secret: ` ${SECRET}\n` })
      .expect(200);
    expect(entered.body).toMatchObject({ id, lastRefusedAt: null });
    expect(entered.body).not.toHaveProperty('needsSecret');
    expect(JSON.stringify(entered.body)).not.toContain(SECRET);

    await deliver({ id, body: ping, secret: SECRET }).expect(200);
    const answer = await deliver({ id, body: incident, secret: SECRET });
    expect([answer.status, answer.body]).toMatchObject([200, { accepted: 1 }]);
    expect((await call('get', path)).body.lastDelivery).toMatchObject({
      event: 'incident.triggered',
      accepted: 1,
    });
    await call('put', `${path}/secret`)
      .send({ secret: 'another-0123456789' })
      .expect(200);
    await deliver({ id, body: incident, secret: SECRET }).expect(401);
  });

  it('is only told about its own account', async () => {
    const { id } = await connect('pagerduty', 'other');
    await call('put', `/connections/${id}/secret`)
      .send({ secret: SECRET })
      .expect(200);
    const { body } = await deliver({ id, body: incident, secret: SECRET });
    expect(body).toMatchObject({
      accepted: 0,
      ignored:
        'The delivery is about acme.pagerduty.com; this connection is for other.pagerduty.com',
    });
  });

  it('has a secret for Jira, as for forges', async () => {
    const { id, secret, repository } = await connect(
      'jira',
      'https://acme.atlassian.net/browse/SHOP-1',
    );
    expect([repository, secret]).toEqual([
      'acme.atlassian.net',
      expect.stringMatching(/^[\w-]{43}$/),
    ]);
    const header = 'X-Hub-Signature';
    const answer = await deliver({ id, body: jiraIssue, secret, header });
    expect([answer.status, answer.body]).toMatchObject([200, { accepted: 1 }]);
  });

  it('does not mix up who creates the secret', async () => {
    const pagerduty = await connect('pagerduty', 'acme.pagerduty.com');
    const created = await call('post', `/connections/${pagerduty.id}/secret`);
    expect([created.status, created.body.error]).toEqual([
      409,
      'PagerDuty creates the secret of its webhook; enter that one',
    ]);
    const jira = await connect('jira', 'acme');
    const entered = await call('put', `/connections/${jira.id}/secret`).send({
      secret: SECRET,
    });
    expect([entered.status, entered.body.error]).toEqual([
      409,
      'Webhooks of Jira use a secret that is created here',
    ]);
    await call('put', '/connections/connection-none/secret')
      .send({ secret: SECRET })
      .expect(404);
  });

  it.each([
    [{}, 'secret'],
    [{ secret: 'too short' }, 'secret'],
    [{ secret: 'with a space 0123456789' }, 'secret'],
    [{ secret: 'x'.repeat(256) }, 'secret'],
    [{ secret: SECRET, more: 1 }, 'more'],
  ])('rejects the secret %j, naming %s', async (body, field) => {
    const { id } = await connect('pagerduty', 'acme');
    const answer = await call('put', `/connections/${id}/secret`).send(body);
    expect(answer.status).toBe(400);
    expect(answer.body.error).toContain(field);
  });

  it.each([
    ['pagerduty', 'acme.example.org', 'acme.pagerduty.com'],
    ['jira', 'two words', 'acme.atlassian.net'],
  ])('rejects for %s the address %s', async (forge, repository, example) => {
    const answer = await call('post', '/connections').send({
      forge,
      repository,
    });
    expect([answer.status, answer.body.error]).toEqual([
      400,
      expect.stringContaining(example),
    ]);
  });
});

it.each([
  ['pagerduty', 'acme', 'acme.pagerduty.com'],
  ['pagerduty', 'acme.eu.pagerduty.com', 'acme.eu.pagerduty.com'],
  ['pagerduty', 'pagerduty.com', undefined],
  ['pagerduty', 'https://evilpagerduty.com', undefined],
  ['pagerduty', 'x'.repeat(300), undefined],
  ['jira', ' https://Acme.atlassian.net/jira/ ', 'acme.atlassian.net'],
  ['jira', 'jira.example.org:8443', 'jira.example.org:8443'],
  ['jira', 'file:///etc/hosts', undefined],
  ['github', 'shop/cart', 'shop/cart'],
] as const)('connects for %s, of %s, %s', (sender, address, name) => {
  expect(connectedName(sender, address)).toBe(name);
});

it('may only be told the secret by an administrator', async () => {
  const knex = await databases.init('SQLITE_3');
  const denied = await startLake({
    connections: new DatabaseConnectionStore(knex),
    permitted: false,
  });
  const put = (authorization: string) =>
    request(denied.server)
      .put(`${PATH}/connections/connection-1/secret`)
      .set('Authorization', authorization)
      .send({ secret: SECRET });
  expect((await put(PERSON)).status).toBe(403);
  expect((await put(NOBODY)).status).toBe(401);
  await denied.stop();
});
