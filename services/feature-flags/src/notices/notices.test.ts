import { testDatabaseClients } from '@slipway/service-kit/testing';
import { CHAT_SECRET, ChatServer } from '../__testUtils__/ChatServer.ts';
import { portalSuite } from '../__testUtils__/portalSuite.ts';

/** The default of `portal.appUrl`. */
const PORTAL = 'http://localhost:3000';

describe.each(testDatabaseClients())('notices on %s', client => {
  const chat = new ChatServer();
  beforeAll(() => chat.start());
  afterAll(() => chat.stop());
  beforeEach(() => {
    for (const list of [chat.slack, chat.teams, chat.webhook, chat.rejected]) {
      list.length = 0;
    }
  });

  const suite = portalSuite(client, {
    config: () => ({ egress: { allowedHosts: ['127.0.0.1'] } }),
  });
  const { ada, grace, bob } = suite;

  const addChannel = async (
    kind: 'slack' | 'teams' | 'webhook',
    more: object = {},
  ) => {
    const { status, body } = await ada('POST', '/notices', {
      name: `${kind} channel`,
      kind,
      url: `${chat.url}/${kind}/services/T0/B0/secret`,
      ...(kind === 'webhook' && { secret: CHAT_SECRET }),
      ...more,
    });
    expect({ status, body }).toMatchObject({ status: 201 });
    return body as { id: number };
  };
  const features = '/projects/default/features';
  const createFlag = (name: string, description = '') =>
    ada('POST', features, { name, description });
  const turnOn = (name: string, environment: string) =>
    ada('POST', `${features}/${name}/environments/${environment}/on`, {});

  it('send to chats and webhooks what was changed, by whom, with a link', async () => {
    for (const kind of ['slack', 'teams', 'webhook'] as const) {
      await addChannel(kind);
    }
    await createFlag('check~out', '<!channel> one step');
    await ada(
      'POST',
      `${features}/check~out/environments/production/strategies`,
      { name: 'flexibleRollout', parameters: { rollout: '25' } },
    );
    await turnOn('check~out', 'production');
    await vi.waitUntil(() => chat.teams.length === 3, { timeout: 15_000 });
    await vi.waitUntil(() => chat.slack.length === 3, { timeout: 15_000 });
    await vi.waitUntil(() => chat.webhook.length === 3, { timeout: 15_000 });

    const link = `${PORTAL}/flags/flag/check~out`;
    const byText = (one: { lines: string[] }, other: { lines: string[] }) =>
      one.lines[0].localeCompare(other.lines[0]);
    expect(chat.rejected).toEqual([]);
    expect(chat.teams.sort(byText)).toEqual([
      {
        lines: [
          'check~out was changed in production by ada',
          '• Strategy added: Gradual rollout (25%)',
        ],
        link,
      },
      {
        lines: ['check~out was created by ada', '• <!channel> one step'],
        link,
      },
      { lines: ['check~out was turned on in production by ada'], link },
    ]);
    expect(chat.slack.sort(byText)[1]).toEqual({
      lines: ['check~out was created by ada', '• &lt;!channel&gt; one step'],
      link,
    });
    expect(chat.webhook.find(({ event }) => event === 'flag-switched')).toEqual(
      {
        event: 'flag-switched',
        events: ['flag-switched'],
        createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
        createdBy: 'user:default/ada',
        text: 'check~out was turned on in production by ada',
        details: [],
        url: link,
        data: {
          flag: 'check~out',
          projects: ['default'],
          environments: ['production'],
        },
      },
    );
  });

  it('are filtered by project, environment and event, and by whether the channel is enabled', async () => {
    await ada('POST', '/projects', { id: 'shop', name: 'Shop' });
    await addChannel('slack', {
      projects: ['shop'],
      environments: ['production'],
      events: ['flag-switched', 'flag-archived'],
    });
    const disabled = await addChannel('teams', { enabled: false });
    await createFlag('elsewhere');
    await turnOn('elsewhere', 'production');
    await ada('POST', '/projects/shop/features', { name: 'basket' });
    const flag = '/projects/shop/features/basket';
    await ada('POST', `${flag}/environments/development/on`, {});
    await ada('POST', `${flag}/environments/production/on`, {});
    await ada('DELETE', flag);
    await vi.waitUntil(() => chat.slack.length === 2, { timeout: 15_000 });
    expect(chat.slack.map(({ lines }) => lines[0]).sort()).toEqual([
      'basket was archived by ada',
      'basket was turned on in production by ada',
    ]);
    const { body } = await ada('GET', `/notices/${disabled.id}/deliveries`);
    expect(body).toEqual({ deliveries: [] });
  });

  it('summarise an import, and so do webhooks', async () => {
    await ada('POST', '/projects', { id: 'shop', name: 'Shop' });
    await addChannel('slack');
    await addChannel('teams', { projects: ['shop'] });
    const hooked = await ada('POST', '/webhooks', {
      url: `${chat.url}/webhook`,
      secret: CHAT_SECRET,
      events: ['feature-created'],
    });
    expect(hooked.status).toBe(201);
    const names = Array.from({ length: 12 }, (_, index) => `flag-${index}`);
    const { status } = await ada('POST', '/state/import', {
      version: 4,
      features: names.map(name => ({
        name,
        description: '',
        type: 'release',
        project: 'default',
        stale: false,
        variants: [],
        createdAt: '2026-01-01T00:00:00.000Z',
      })),
      strategies: [],
      projects: [],
      tagTypes: [],
      tags: [],
      featureTags: [],
      segments: [],
      environments: [],
      featureStrategies: [],
      featureEnvironments: names.map(featureName => ({
        featureName,
        environment: 'development',
        enabled: true,
        variants: [],
      })),
      featureStrategySegments: [],
    });
    expect(status).toBe(200);
    await vi.waitUntil(
      () => chat.slack.length === 1 && chat.webhook.length === 1,
      { timeout: 15_000 },
    );
    expect(chat.slack).toEqual([
      {
        lines: [
          '12 flags were imported by ada',
          expect.stringMatching(
            /^• 12 created: flag-0, (flag-\d+, ){8}flag-\d+ and 2 more$/,
          ),
        ],
        link: `${PORTAL}/flags`,
      },
    ]);
    expect(chat.webhook).toEqual([
      {
        event: 'features-imported',
        createdAt: expect.any(String),
        createdBy: 'user:default/ada',
        data: { created: expect.arrayContaining(names), updated: [] },
      },
    ]);
    expect(chat.teams).toEqual([]);
  });

  it('follow change requests and schedules, once for each step', async () => {
    await createFlag('checkout');
    await ada('PUT', '/environments/production', { protected: true });
    await addChannel('slack');
    const { body } = await turnOn('checkout', 'production');
    const { id } = body.changeRequest;
    await grace('PUT', `/change-requests/${id}/state`, { state: 'Approved' });
    await grace('PUT', `/change-requests/${id}/state`, { state: 'Applied' });
    const planned = await ada(
      'POST',
      `${features}/checkout/environments/development/schedules`,
      {
        steps: [
          { at: suite.timeIn(0), enabled: true },
          { at: suite.timeIn(10), percentage: 5 },
          { at: suite.timeIn(20), percentage: 50 },
        ],
      },
    );
    expect(planned.status).toBe(201);
    await vi.waitUntil(() => chat.slack.length === 4, { timeout: 15_000 });
    suite.pass(11);
    await vi.waitUntil(() => chat.slack.length === 5, { timeout: 15_000 });
    await ada('POST', `/schedules/${planned.body.id}/pause`, {});
    await vi.waitUntil(() => chat.slack.length === 6, { timeout: 15_000 });
    expect(chat.rejected).toEqual([]);
    expect(chat.slack.map(({ lines }) => lines.join('; ')).sort()).toEqual([
      'A change to checkout in production by ada is waiting for approval; • Turned on',
      `Change request ${id} for checkout in production was applied by grace; • Turned on`,
      `Change request ${id} for checkout in production was approved by grace`,
      'Step 1 of 3 of the schedule for checkout in development: turned on',
      'Step 2 of 3 of the schedule for checkout in development: rolled out to 5%',
      'The schedule for checkout in development was paused by ada',
    ]);
  });

  it('are retried, and the log lists every delivery without the address', async () => {
    const { id } = await addChannel('slack');
    chat.failures.push(503);
    await createFlag('checkout');
    await vi.waitUntil(() => chat.slack.length === 1, { timeout: 15_000 });
    await vi.waitFor(async () => {
      const log = await ada('GET', `/notices/${id}/deliveries`);
      expect(log.body.deliveries).toEqual([
        expect.objectContaining({
          event: 'flag-created',
          text: 'checkout was created by ada',
          state: 'delivered',
          attempts: 2,
          lastStatus: 200,
          lastError: null,
        }),
      ]);
      expect(log.text).not.toContain('secret');
    });
  });

  it('can be tested, and say why a test failed', async () => {
    const { id } = await addChannel('slack', { enabled: false });
    const test = async () => (await ada('POST', `/notices/${id}/test`)).body;
    expect(await test()).toEqual({
      delivered: true,
      status: 200,
      error: null,
    });
    expect(chat.slack[0].lines[0]).toBe(
      'This is a test notice for slack channel, sent by ada',
    );
    chat.failures.push(404);
    expect(await test()).toEqual({
      delivered: false,
      status: 404,
      error: 'The receiver answered 404',
    });
  });

  it('have channels that admins manage, whose addresses are never returned', async () => {
    const { id } = await addChannel('webhook');
    const change = (body: object, channel = id) =>
      ada('PATCH', `/notices/${channel}`, body);
    const expected = {
      id,
      name: 'webhook channel',
      kind: 'webhook',
      host: new URL(chat.url).host,
      signed: true,
      projects: ['*'],
      environments: ['*'],
      events: ['*'],
      enabled: true,
      createdBy: 'user:default/ada',
    };
    const { body, text } = await ada('GET', '/notices');
    expect(body.channels).toEqual([expect.objectContaining(expected)]);
    expect(text).not.toMatch(/services|a-secret/);

    const changed = await change({ name: 'Team', events: ['flag-archived'] });
    expect(changed).toMatchObject({
      status: 200,
      body: { name: 'Team', events: ['flag-archived'], signed: true },
    });
    expect(changed.text).not.toMatch(/services|a-secret/);
    await addChannel('slack');
    expect(await change({ name: 'slack channel' })).toMatchObject({
      status: 409,
    });
    expect(
      await ada('POST', '/notices', {
        name: 'Team',
        kind: 'slack',
        url: chat.url,
      }),
    ).toMatchObject({ status: 409 });

    for (const [sent, message] of [
      [{ kind: 'fax' }, /^kind /],
      [{ name: ' ' }, /^name must not be blank/],
      [{ events: [] }, /^events /],
      [{ projects: ['nowhere'] }, /^projects\.0 must be one of \*, default/],
      [{ environments: ['mars'] }, /^environments\.0 must be one of \*/],
      [{ url: 'http://169.254.169.254/latest' }, /^url /],
      [{ url: 'ftp://chat' }, /^url /],
      [{ kind: 'slack', secret: CHAT_SECRET }, /^secret /],
    ] as const) {
      const answer = await change(sent);
      expect([answer.status, answer.body.message]).toEqual([
        400,
        expect.stringMatching(message),
      ]);
    }

    const { calls } = suite;
    const path = `/api/admin/notices/${id}`;
    for (const [method, url] of [
      ['GET', '/api/admin/notices'],
      ['POST', '/api/admin/notices'],
      ['GET', path],
      ['PATCH', path],
      ['DELETE', path],
      ['POST', `${path}/test`],
      ['GET', `${path}/deliveries`],
    ] as const) {
      expect((await calls.send(method, url)).status).toBe(401);
      const own = url.slice('/api/admin'.length);
      expect((await bob(method, own)).status).toBe(403);
    }

    for (const [method, own] of [
      ['GET', ''],
      ['PATCH', ''],
      ['DELETE', ''],
      ['POST', '/test'],
      ['GET', '/deliveries'],
    ] as const) {
      const payload = method === 'PATCH' ? {} : undefined;
      const { status } = await ada(method, `/notices/9999${own}`, payload);
      expect(status).toBe(404);
    }

    const audit = await calls.send('GET', '/api/v1/audit', {
      token: '*:*.test-admin-token',
    });
    expect(audit.body.entries).toContainEqual(
      expect.objectContaining({
        by: 'user:default/ada',
        action: 'Change the given fields of a notice channel',
      }),
    );
    expect((await ada('DELETE', `/notices/${id}`)).status).toBe(204);
    expect((await ada('GET', `/notices/${id}`)).status).toBe(404);
  });
});
