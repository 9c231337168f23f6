import { createHmac } from 'node:crypto';
import {
  mockCredentials,
  mockServices,
  startTestBackend,
} from '@backstage/backend-test-utils';
import { catalogServiceMock } from '@backstage/plugin-catalog-node/testUtils';
import { contractHttpRouterFactory } from '@slipway/portal-kit';
import request from 'supertest';
import { deliveryLakePlugin } from '../plugin';
import jiraIssue from './__fixtures__/jira/issue.json';
import incident from './__fixtures__/pagerduty/incident.json';

const ADA = mockCredentials.user.header('user:default/ada');
const CI = mockCredentials.service.header({
  onBehalfOf: mockCredentials.service('external:ci'),
  targetPluginId: 'delivery-lake',
});
const SECRET = 'between-us-0123456789';
const HOUR = 3_600_000;
const now = Date.now();
const ago = (hours: number) => new Date(now - hours * HOUR).toISOString();

const cart = {
  apiVersion: 'backstage.io/v1alpha1',
  kind: 'Component',
  metadata: {
    name: 'cart',
    namespace: 'default',
    annotations: {
      'github.com/project-slug': 'shop/cart',
      'pagerduty.com/service-id': 'PF9KMXH',
      'jira/project-key': 'SHOP',
    },
  },
  spec: { type: 'service', lifecycle: 'production', owner: 'payments' },
  relations: [{ type: 'ownedBy', targetRef: 'group:default/payments' }],
};

async function start() {
  const secrets = { secrets: [SECRET] };
  const { server } = await startTestBackend({
    features: [
      deliveryLakePlugin,
      contractHttpRouterFactory,
      catalogServiceMock.factory({ entities: [cart] }),
      mockServices.rootConfig.factory({
        data: {
          deliveryLake: { webhooks: { pagerduty: secrets, jira: secrets } },
        },
      }),
    ],
  });
  const url = (path: string) => `/api/delivery-lake${path}`;
  const get = async (path: string) =>
    (await request(server).get(url(path)).set('Authorization', ADA)).body;
  const deliver = (tracker: string, body: object) => {
    const text = JSON.stringify(body);
    const hex = createHmac('sha256', SECRET).update(text).digest('hex');
    return request(server)
      .post(url(`/webhooks/${tracker}`))
      .set('Content-Type', 'application/json')
      .set('X-PagerDuty-Signature', `v1=${hex}`)
      .set('X-Hub-Signature', `sha256=${hex}`)
      .send(text)
      .expect(200);
  };
  await request(server)
    .post(url('/deployments'))
    .set('Authorization', CI)
    // Uses the repository, as forges report it, instead of the name of the component.
    .send(
      [50, 40, 30].map(hours => ({
        ...{ id: `${hours}`, service: 'shop/cart', environment: 'prod' },
        ...{ startedAt: ago(hours + 0.1), finishedAt: ago(hours) },
      })),
    )
    .expect(200);
  // The catalog is read at the start.
  await vi.waitFor(
    async () => expect((await get('/scopes')).teams).toHaveLength(1),
    { timeout: 20_000, interval: 100 },
  );
  return { get, deliver };
}

const event = (type: string, hours: number, status: string) => ({
  event: {
    ...incident.event,
    event_type: `incident.${type}`,
    occurred_at: ago(hours),
    data: { ...incident.event.data, status, created_at: ago(39) },
  },
});

it('counts incidents of PagerDuty and Jira for the deployments of their component', async () => {
  const { get, deliver } = await start();
  // The resolution arrives first.
  await deliver('pagerduty', event('resolved', 37, 'resolved'));
  await deliver('pagerduty', event('triggered', 39, 'triggered'));
  const { issue } = jiraIssue;
  await deliver('jira', {
    ...jiraIssue,
    timestamp: now - 29 * HOUR,
    issue: {
      ...issue,
      fields: { ...issue.fields, created: ago(29), updated: ago(29) },
    },
  });
  await vi.waitFor(
    async () =>
      expect((await get('/dora-metrics?team=payments')).metrics).toMatchObject({
        changeFailureRate: { samples: 3, value: expect.closeTo(66.67, 1) },
        timeToRestoreService: { samples: 1, value: 2, unit: 'hours' },
      }),
    { timeout: 20_000, interval: 100 },
  );
  const { incidents } = await get('/incidents');
  expect(incidents).toMatchObject([
    {
      source: 'jira',
      service: 'shop/cart',
      resolvedAt: null,
      url: 'https://acme.atlassian.net/browse/SHOP-73',
    },
    {
      source: 'pagerduty',
      service: 'shop/cart',
      startedAt: ago(39),
      resolvedAt: ago(37),
      url: 'https://acme.pagerduty.com/incidents/Q2K78RPC1X',
    },
  ]);
});
