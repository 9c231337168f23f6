import { testDatabaseClients } from '@slipway/service-kit/testing';
import { API_TOKEN, PROJECT_KEY } from './__testUtils__/startAnalytics.ts';
import { DestinationsHarness } from './destinations/__testUtils__/DestinationsHarness.ts';

const PATH = '/api/v1/administration';

describe.each(testDatabaseClients())('administration in %s', client => {
  let harness: DestinationsHarness;

  beforeEach(async () => {
    harness = await DestinationsHarness.start(client);
  });
  afterEach(() => harness.stop());

  it('has the keys, tokens and destinations of all projects, but no secret', async () => {
    const { body: created } = await harness.create({ id: 'crm' });
    await harness.createBucket({ id: 'lake' });
    const { status, body } = await harness.send('GET', PATH);
    expect(status).toBe(200);
    const text = JSON.stringify(body);
    for (const secret of [
      PROJECT_KEY,
      API_TOKEN,
      created.secret,
      'hidden-in-the-address',
      'wJalrXUtnFEMI',
    ]) {
      expect(text).not.toContain(secret);
    }
    expect(body.tokens).toMatchObject([
      { name: 'test', scopes: ['shop'], configured: true },
      { name: 'test', scopes: ['shop'], configured: true },
    ]);
    expect(
      body.tokens.map(({ kind }: { kind: string }) => kind).sort(),
    ).toEqual(['api-token', 'project-key']);
    expect(body.webhooks).toMatchObject([
      { name: 'shop / declared', configured: true, signed: true },
      {
        name: 'shop / crm',
        kind: 'Webhook',
        host: new URL(harness.url).host,
        paused: false,
        lastAt: null,
        page: '/analytics/destinations?project=shop&destination=crm',
        test: '/api/projects/shop/destinations/crm/test',
        remove: '/api/projects/shop/destinations/crm',
      },
      { name: 'shop / lake', kind: 'S3 bucket' },
    ]);
  });

  it('shows no error of a destination that only skipped an event', async () => {
    await harness.create({ id: 'crm' });
    harness.receiver.mostBytes = 0;
    harness.now += 1_000;
    await harness.capture('01a1fd90-4447-707d-b85d-000000000001');
    harness.now += 20_000;
    await vi.waitUntil(async () => {
      const { last_error: error } = await harness.stateOf('crm');
      return error?.includes('skipped');
    }, 30_000);
    const { body } = await harness.send('GET', PATH);
    expect(
      body.webhooks.find(({ name }: { name: string }) => name === 'shop / crm'),
    ).toMatchObject({ error: null, failures: 0 });
  });

  it('names the readers of each project apart, even of two with the same name', async () => {
    const readers = ['group:default/sales'];
    for (const id of ['one', 'other']) {
      const payload = { id, name: 'Till', readers };
      const created = await harness.send('POST', '/api/projects', { payload });
      expect(created.status).toBe(201);
    }
    const { body } = await harness.send('GET', PATH);
    const names = body.roles.map(({ name }: { name: string }) => name);
    expect(names).toContain('Readers of Till (one)');
    expect(new Set(names).size).toBe(names.length);
  });

  it('is reserved for admins', async () => {
    expect((await harness.send('GET', PATH, { as: 'grace' })).status).toBe(403);
    expect((await harness.send('GET', PATH, { as: 'nobody' })).status).toBe(
      401,
    );
  });
});
