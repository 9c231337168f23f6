import { createHmac } from 'node:crypto';
import request from 'supertest';
import jiraIssue from '../__fixtures__/jira/issue.json';
import incident from '../__fixtures__/pagerduty/incident.json';
import ping from '../__fixtures__/pagerduty/ping.json';
import { Lake, PERSON, SERVICE, startLake } from '../__testUtils__/startLake';

const OLD = 'old-secret';
const NEW = 'new-secret';

const lakes: Lake[] = [];
async function lake(options?: Parameters<typeof startLake>[0]) {
  const started = await startLake(options);
  lakes.push(started);
  return started;
}
afterEach(async () => {
  await Promise.all(lakes.splice(0).map(({ stop }) => stop()));
});

function hmac(secret: string, text: string): string {
  return createHmac('sha256', secret).update(text).digest('hex');
}

function post(
  { server }: Lake,
  tracker: string,
  options: { body: object; headers?: Record<string, string> },
) {
  return request(server)
    .post(`/api/delivery-lake/webhooks/${tracker}`)
    .set('Content-Type', 'application/json')
    .set(options.headers ?? {})
    .send(JSON.stringify(options.body));
}

describe('PagerDuty', () => {
  const signed = (body: object, ...secrets: string[]) => ({
    body,
    headers: {
      'X-PagerDuty-Signature': secrets
        .map(secret => `v1=${hmac(secret, JSON.stringify(body))}`)
        .join(','),
      'X-Webhook-Id': 'w-1',
    },
  });
  const webhooks = { pagerduty: { secrets: [NEW] } };

  it('is accepted with any of its signatures', async () => {
    const started = await lake({ webhooks });
    const answer = await post(started, 'pagerduty', signed(incident, OLD, NEW));
    expect([answer.status, answer.body]).toMatchObject([200, { accepted: 1 }]);
    expect(started.ingest.deliveries).toEqual([
      {
        delivery: {
          channel: 'pagerduty',
          type: 'incident.triggered',
          key: 'acme.pagerduty.com#w-1',
          body: JSON.stringify(incident),
          context: undefined,
        },
        ignored: undefined,
        items: [
          {
            event: expect.objectContaining({
              kind: 'incident',
              service: 'pagerduty:PF9KMXH',
            }),
          },
        ],
      },
    ]);
  });

  it.each([
    ['another secret', signed(incident, OLD)],
    ['no signature', { body: incident }],
    [
      'the signature of another body',
      { ...signed(ping, NEW), body: { ...incident } },
    ],
  ])('is refused with %s', async (_what, options) => {
    const started = await lake({ webhooks });
    await post(started, 'pagerduty', options).expect(401);
    expect(started.ingest.deliveries).toEqual([]);
  });

  it('needs a secret in the configuration, or a service token', async () => {
    const started = await lake();
    const answer = await post(started, 'pagerduty', signed(incident, NEW));
    expect([answer.status, answer.body.error]).toEqual([
      401,
      'Webhooks of pagerduty need a secret in deliveryLake.webhooks.pagerduty.secrets, or a service token',
    ]);
    await post(started, 'pagerduty', {
      body: incident,
      headers: { Authorization: SERVICE },
    }).expect(200);
    await post(started, 'pagerduty', {
      body: incident,
      headers: { Authorization: PERSON },
    }).expect(403);
  });

  it('counts a delivery once, however often it is attempted', async () => {
    const started = await lake({ webhooks });
    await post(started, 'pagerduty', signed(incident, NEW)).expect(200);
    const again = await post(started, 'pagerduty', signed(incident, NEW));
    expect(again.body).toMatchObject({ accepted: 0, duplicate: true });
  });

  it('answers test events, and names what is missing', async () => {
    const started = await lake({ webhooks });
    const test = await post(started, 'pagerduty', signed(ping, NEW));
    expect([test.status, test.body.ignored]).toEqual([
      200,
      'PagerDuty sent a test event',
    ]);
    const other = await post(started, 'pagerduty', signed({}, NEW));
    expect([other.status, other.body]).toEqual([
      400,
      { error: 'The body does not name its event' },
    ]);
    await request(started.server)
      .get('/api/delivery-lake/webhooks/pagerduty')
      .expect(405);
  });

  it('keeps the service that was found, so that a replay gives the same', async () => {
    const started = await lake({
      webhooks,
      deployed: { 'Cart API': 'cart', 'pagerduty:PF9KMXH': 'shop/cart' },
    });
    await post(started, 'pagerduty', signed(incident, NEW)).expect(200);
    expect(started.ingest.deliveries).toMatchObject([
      {
        delivery: { context: { service: 'shop/cart' } },
        items: [{ event: { service: 'shop/cart' } }],
      },
    ]);
  });
});

describe('Jira', () => {
  const webhooks = { jira: { secrets: [OLD, NEW] } };
  const signed = (body: object, secret: string) => ({
    body,
    headers: {
      'X-Hub-Signature': `sha256=${hmac(secret, JSON.stringify(body))}`,
      'X-Atlassian-Webhook-Identifier': '8f3c2a10',
    },
  });

  it('is accepted with either of its secrets', async () => {
    const started = await lake({
      webhooks,
      deployed: { 'jira:SHOP/Cart': 'shop/cart' },
    });
    await post(started, 'jira', signed(jiraIssue, NEW)).expect(200);
    expect(started.ingest.deliveries).toMatchObject([
      {
        delivery: {
          channel: 'jira',
          type: 'jira:issue_created',
          key: 'acme.atlassian.net#8f3c2a10',
        },
        items: [{ event: { kind: 'incident', service: 'shop/cart' } }],
      },
    ]);
    await post(started, 'jira', signed(jiraIssue, 'guess')).expect(401);
    await post(started, 'jira', { body: jiraIssue }).expect(401);
    const again = await post(started, 'jira', signed(jiraIssue, OLD));
    expect(again.body).toMatchObject({ duplicate: true });
  });
});
