import { createHmac } from 'node:crypto';
import {
  mockCredentials,
  mockServices,
  startTestBackend,
} from '@backstage/backend-test-utils';
import { catalogServiceMock } from '@backstage/plugin-catalog-node/testUtils';
import type { JsonObject } from '@backstage/types';
import { contractHttpRouterFactory } from '@slipway/portal-kit';
import request from 'supertest';
import { deliveryLakePlugin } from './plugin';

const ADA = mockCredentials.user.header('user:default/ada');
const CI = mockCredentials.service.header({
  onBehalfOf: mockCredentials.service('external:ci'),
  targetPluginId: 'delivery-lake',
});
const HOUR = 3_600_000;

const entities = [
  {
    apiVersion: 'backstage.io/v1alpha1',
    kind: 'Component',
    metadata: { name: 'payments-api', namespace: 'default' },
    spec: {
      type: 'service',
      lifecycle: 'production',
      owner: 'group:default/payments',
      system: 'shop',
    },
    relations: [
      { type: 'ownedBy', targetRef: 'group:default/payments' },
      { type: 'partOf', targetRef: 'system:default/shop' },
    ],
  },
];

async function start(config: JsonObject = {}) {
  const { server } = await startTestBackend({
    features: [
      deliveryLakePlugin,
      contractHttpRouterFactory,
      catalogServiceMock.factory({ entities }),
      mockServices.rootConfig.factory({
        data: {
          deliveryLake: {
            webhooks: { github: { secrets: ['between us'] } },
          },
          ...config,
        },
      }),
    ],
  });
  const url = (path: string) => `/api/delivery-lake${path}`;
  return {
    get: (path: string, authorization = ADA) =>
      request(server).get(url(path)).set('Authorization', authorization),
    post: (path: string, authorization = CI) =>
      request(server).post(url(path)).set('Authorization', authorization),
    webhook: (path: string) => request(server).post(url(path)),
  };
}

const now = Date.now();
const ago = (hours: number) => new Date(now - hours * HOUR).toISOString();

describe('the delivery lake', () => {
  it('computes DORA metrics of ingested events, with teams from the catalog', async () => {
    const { get, post } = await start();
    const deployments = [
      { id: '1', finishedAt: ago(50), sha: 'a'.repeat(40), landed: ago(60) },
      { id: '2', finishedAt: ago(20), sha: 'b'.repeat(40), landed: ago(30) },
    ];
    const sent = await post('/deployments').send(
      deployments.map(({ id, finishedAt, sha, landed }) => ({
        source: 'jenkins',
        id,
        service: 'payments-api',
        version: `1.0.${id}`,
        environment: 'production',
        startedAt: new Date(Date.parse(finishedAt) - 90_000).toISOString(),
        finishedAt,
        triggeredBy: 'ada',
        repository: 'shop/payments-api',
        commit: { sha, message: 'Fix it', author: 'Ada', committedAt: landed },
      })),
    );
    expect(sent.status).toBe(200);
    expect(sent.body).toMatchObject({ accepted: 2, rejected: 0 });
    await post('/incidents')
      .send({
        id: 'INC-1',
        title: 'Down',
        service: 'payments-api',
        startedAt: ago(19),
        resolvedAt: ago(17),
        deployment: { source: 'jenkins', id: '2' },
      })
      .expect(200);

    await vi.waitFor(
      async () => {
        const { body } = await get('/dora-metrics?team=payments');
        expect(body).toMatchObject({
          project: 'all',
          team: 'payments',
          metrics: {
            deploymentFrequency: { unit: 'deploys/week', samples: 2 },
            // The first deployment has no baseline to compare it with.
            leadTimeForChanges: { value: 10, unit: 'hours', samples: 1 },
            changeFailureRate: { value: 50, unit: 'percent', samples: 2 },
            timeToRestoreService: { value: 2, unit: 'hours', samples: 1 },
          },
          beyond: {
            failedDeploymentRecoveryTime: { value: 3, samples: 1 },
            failures: { linked: 1, guessed: 0 },
          },
        });
      },
      { timeout: 10_000, interval: 200 },
    );

    const history = await get('/deployment-history?service=payments-api');
    expect(history.body).toEqual({
      service: 'payments-api',
      total: 2,
      deployments: [
        {
          id: expect.stringMatching(/^deploy-/),
          version: '1.0.2',
          environment: 'prod',
          status: 'SUCCESS',
          startTime: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/),
          endTime: deployments[1].finishedAt,
          duration: 90,
          triggeredBy: 'ada',
          commit: { sha: 'b'.repeat(40), message: 'Fix it', author: 'Ada' },
        },
        expect.objectContaining({ version: '1.0.1' }),
      ],
    });
  });

  it('allows permitted callers, and explains rejections to others', async () => {
    const { get, post, webhook } = await start();
    const nobody = mockCredentials.none.header();
    const unknown = await get('/dora-metrics', nobody);
    expect(unknown.status).toBe(401);
    expect(unknown.body).toEqual({ error: expect.any(String) });

    const user = await post('/deployments', ADA).send({});
    expect(user.status).toBe(403);
    expect(user.body).toEqual({
      error: expect.stringContaining('service token'),
    });

    const unsigned = await webhook('/webhooks/github').send({ zen: 'Hm' });
    expect(unsigned.status).toBe(401);
    expect(unsigned.body).toEqual({ error: expect.any(String) });
  });

  it('tells a pipeline of DevLake when nothing of its delivery was accepted', async () => {
    const { post } = await start();
    const [startedDate, finishedDate] = [ago(2), ago(3)];
    const deployment = { id: '7', startedDate, finishedDate };
    const send = () =>
      post('/webhooks/devlake/connections/1/deployments').send({
        ...deployment,
        deploymentCommits: [
          {
            repoUrl: 'https://forge.example.org/shop/web',
            commitSha: 'c'.repeat(40),
            startedDate,
            finishedDate,
          },
        ],
      });
    const answers = [await send(), await send()];
    expect(answers.map(({ status, body }) => [status, body])).toEqual(
      Array.from({ length: 2 }, () => [
        400,
        { error: 'finishedAt is before startedAt' },
      ]),
    );
  });

  it('accepts a signed webhook without a token', async () => {
    const { webhook, get } = await start();
    const body = JSON.stringify({
      ref: 'refs/heads/main',
      before: 'b'.repeat(40),
      after: 'c'.repeat(40),
      repository: { full_name: 'shop/web', default_branch: 'main' },
      commits: [
        {
          id: 'c'.repeat(40),
          message: 'Speed up',
          timestamp: ago(2),
          author: { name: 'Grace' },
          url: 'https://forge.example.org/c',
        },
      ],
      head_commit: { timestamp: ago(2) },
    });
    const signature = createHmac('sha256', 'between us')
      .update(body)
      .digest('hex');
    const lastDelivery = async () => {
      const { body: report } = await get('/administration');
      return [report.webhooks[0].lastAt, report.tokens[0].lastUsedAt];
    };
    expect(await lastDelivery()).toEqual([null, null]);
    const taken = await webhook('/webhooks/github')
      .set('Content-Type', 'application/json')
      .set('X-GitHub-Event', 'push')
      .set('X-GitHub-Delivery', 'one')
      .set('X-Hub-Signature-256', `sha256=${signature}`)
      .send(body);
    expect(taken.body).toMatchObject({
      accepted: 1,
      results: [{ index: 0, outcome: 'accepted' }],
    });
    expect(taken.status).toBe(200);
    const { body: status } = await get('/status');
    expect(status).toMatchObject({ changes: 1 });
    const day = new Date().toISOString().slice(0, 10);
    expect(await lastDelivery()).toEqual([
      expect.stringContaining(day),
      expect.stringContaining(day),
    ]);
  });

  it('counts wrong signatures against their address, and reads no body over the limit', async () => {
    const { webhook } = await start({
      slipway: { rateLimit: { anonymousPerMinute: 3 } },
    });
    const ping = { zen: 'Keep it logically awesome' };
    const send = (signature: string, authorization: string, body: unknown) =>
      webhook('/webhooks/github')
        .set('Authorization', authorization)
        .set('Content-Type', 'application/json')
        .set('X-GitHub-Event', 'ping')
        .set('X-Hub-Signature-256', `sha256=${signature}`)
        .send(body as object);
    const nobody = mockCredentials.none.header();
    const right = createHmac('sha256', 'between us')
      .update(JSON.stringify(ping))
      .digest('hex');
    // Signed requests are not counted.
    for (let sent = 0; sent < 5; sent++) {
      expect((await send(right, nobody, ping)).status).toBe(200);
    }
    for (let guess = 0; guess < 3; guess++) {
      const wrong = await send('0'.repeat(64), nobody, ping);
      expect(wrong.status).toBe(401);
    }
    const refused = await send('0'.repeat(64), nobody, ping);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    // Reading the body would result in 413.
    const large = await send(right, nobody, 'x'.repeat(11 * 1024 * 1024));
    expect(large.status).toBe(429);
    expect((await send(right, CI, ping)).status).toBe(200);
  });

  it('counts wrong signatures of connected repositories too', async () => {
    const { post, webhook } = await start({
      slipway: { rateLimit: { anonymousPerMinute: 3 } },
    });
    const connection = { forge: 'github', repository: 'shop/cart' };
    const { body } = await post('/connections').send(connection);
    const guess = async () => {
      const { status } = await webhook(`/webhooks/connections/${body.id}`)
        .set('Authorization', mockCredentials.none.header())
        .set('X-GitHub-Event', 'ping')
        .set('X-Hub-Signature-256', `sha256=${'0'.repeat(64)}`)
        .send({ zen: 'Keep it logically awesome' });
      return status;
    };
    const statuses = [await guess(), await guess(), await guess()];
    expect(statuses).toEqual([401, 401, 401]);
    expect(await guess()).toBe(429);
  });

  it('tells admins of its webhooks and roles, but no secret', async () => {
    const { get, post } = await start();
    const connected = await post('/connections').send({
      forge: 'gitlab',
      repository: 'shop/cart',
    });
    const { status, body, text } = await get('/administration');
    expect(status).toBe(200);
    expect(text).not.toContain('between us');
    expect(text).not.toContain(connected.body.secret);
    const { id } = connected.body;
    const common = {
      id,
      name: 'shop/cart',
      configured: false,
      page: `/delivery/connections/${id}`,
      remove: `/connections/${id}`,
    };
    expect(body.tokens).toMatchObject([
      {
        ...common,
        kind: 'webhook-secret',
        scopes: ['GitLab'],
        createdAt: connected.body.createdAt,
        lastUsedAt: null,
      },
      { kind: 'webhook-secret', name: 'Deliveries from GitHub' },
    ]);
    expect(body.webhooks).toMatchObject([
      { ...common, direction: 'incoming', kind: 'GitLab', lastAt: null },
      { name: 'Deliveries from GitHub', configured: true },
    ]);
    expect(body.roles).toMatchObject([
      {
        name: 'Platform admins',
        groups: ['group:default/platform-admins'],
        may: expect.arrayContaining(['delivery-lake.admin.connect']),
      },
      {
        name: 'Every signed-in user',
        may: expect.arrayContaining(['delivery-lake.delivery.read']),
      },
    ]);
    const nobody = mockCredentials.none.header();
    expect((await get('/administration', nobody)).status).toBe(401);
  });

  it('rebuilds, followed as a job', async () => {
    const { get, post } = await start();
    const { status, body } = await post('/rebuild');
    expect(status).toBe(202);
    await vi.waitFor(async () =>
      expect((await get(`/jobs/${body.id}`, CI)).body).toMatchObject({
        kind: 'rebuild',
        status: 'done',
      }),
    );
    expect((await get('/jobs/job-none', CI)).status).toBe(404);
  });

  it('deletes the names of a person, followed as a job', async () => {
    const { get, post } = await start();
    const deployment = {
      id: 'build-1',
      service: 'payments-api',
      startedAt: new Date(Date.now() - HOUR),
      finishedAt: new Date(),
      triggeredBy: 'ada',
    };
    await post('/deployments').send(deployment);
    const path = '/people/deletions';
    const preview = await post(`${path}/preview`).send({ names: ['Ada'] });
    expect(preview.body).toMatchObject({ position: null, deliveries: 0 });
    const invalid = { names: ['Ada'], after: -1 };
    expect((await post(`${path}/preview`).send(invalid)).status).toBe(400);
    const { status, body } = await post(path).send({ names: ['Ada'] });
    expect(status).toBe(202);
    await vi.waitFor(async () =>
      expect((await get(`/jobs/${body.id}`, CI)).body).toMatchObject({
        kind: 'deletion',
        status: 'done',
      }),
    );
    const history = await get('/deployments?service=payments-api');
    expect(history.body.deployments).toMatchObject([{ triggeredBy: '' }]);

    expect((await post(path).send({ names: [] })).status).toBe(400);
    expect((await post(path).send({ names: [' x '] })).status).toBe(400);
    const punctuation = await post(path).send({ names: ['ada', '::'] });
    expect(punctuation.status).toBe(400);
    expect(JSON.stringify(punctuation.body)).toContain('names[1]');
    expect((await get(path)).status).toBe(405);
  });

  it('describes itself, and rejects other paths and methods', async () => {
    const { get, post } = await start();
    const { body } = await get('/openapi.json', mockCredentials.none.header());
    expect(body).toMatchObject({
      openapi: expect.stringMatching(/^3\.1/),
      paths: { '/dora-metrics': { get: expect.anything() } },
    });
    const nowhere = await get('/nowhere');
    expect([nowhere.status, nowhere.body]).toEqual([
      404,
      { error: expect.any(String) },
    ]);
    const wrong = await post('/dora-metrics');
    expect([wrong.status, wrong.headers.allow]).toEqual([405, 'GET']);
  });
});
