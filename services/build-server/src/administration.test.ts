import { Bench, jobOf } from './__testUtils__/Bench.ts';
import { BuildClient } from './__testUtils__/BuildClient.ts';
import { invite, startAgent } from './__testUtils__/startAgent.ts';
import { basic, TRIGGER_TOKEN } from './__testUtils__/startBuildServer.ts';

const PATH = '/api/v1/administration';
const HOOK_TOKEN = 'token-of-the-webhook';
const ADMIN = { name: 'admin', key: 'test-admin-token', scopes: ['admin'] };

let bench: Bench;

beforeEach(async () => {
  bench = await Bench.open();
});
afterEach(() => bench.close());

it('has users, agents, secrets of webhooks and the jobs that they trigger', async () => {
  const dev = await bench.start(
    [jobOf('true', { name: 'shop', webhook: { token: 'of-shop' } })],
    {
      executors: 0,
      auth: {
        users: [
          { name: 'dev', key: TRIGGER_TOKEN, scopes: ['read', 'trigger'] },
          ADMIN,
        ],
        adminGroups: ['group:default/platform-admins'],
      },
      secrets: { 'of-shop': HOOK_TOKEN },
    },
  );
  const admin = new BuildClient(dev.url, basic('admin', ADMIN.key));
  const agent = await startAgent(admin, { labels: ['arm64'] });
  const invitation = await invite(admin);
  const read = async () => {
    const { status, body, text } = await admin.get(PATH);
    expect(status).toBe(200);
    for (const secret of [
      TRIGGER_TOKEN,
      ADMIN.key,
      HOOK_TOKEN,
      agent.token,
      invitation,
    ]) {
      expect(text).not.toContain(secret);
    }
    return body;
  };
  const before = await read();
  expect(before.tokens).toMatchObject([
    { kind: 'api-token', name: 'dev', scopes: ['read', 'trigger'] },
    { kind: 'api-token', name: 'admin', scopes: ['admin'] },
    {
      kind: 'agent-token',
      name: 'agent-1',
      scopes: ['arm64'],
      createdBy: 'token:admin',
      remove: `/agents/${agent.id}`,
    },
    { kind: 'enrolment-token', expiresAt: expect.any(String) },
    { kind: 'webhook-secret', name: 'of-shop', scopes: ['shop'] },
  ]);
  const trigger = {
    id: 'job-shop',
    name: 'Trigger of shop',
    direction: 'incoming',
    signed: false,
    page: '/builds/shop',
  };
  expect(before.webhooks).toMatchObject([{ ...trigger, lastAt: null }]);

  await dev.json(`/generic-webhook-trigger/invoke?token=${HOOK_TOKEN}`, {});
  expect((await read()).webhooks).toMatchObject([
    { ...trigger, lastAt: expect.any(String) },
  ]);
  await agent.stop();

  expect((await dev.get(PATH)).status).toBe(403);
  const nobody = new BuildClient(dev.url, null);
  expect((await nobody.get(PATH)).status).toBe(401);
});
