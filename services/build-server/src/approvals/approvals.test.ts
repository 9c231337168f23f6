import {
  FakePortal,
  openTestDatabase,
  testDatabaseClients,
} from '@slipway/service-kit/testing';
import { BuildClient } from '../__testUtils__/BuildClient.ts';
import { startAgent, type TestAgent } from '../__testUtils__/startAgent.ts';
import {
  basic,
  READ_TOKEN,
  startBuildServer,
  type TestServer,
  TRIGGER_TOKEN,
} from '../__testUtils__/startBuildServer.ts';
import type { Job } from '../jobs/Job.ts';
import { buildServer } from '../service.ts';

const DEPLOY: Job = {
  name: 'deploy',
  owner: 'group:default/payments',
  timeoutSeconds: 120,
  steps: [
    { name: 'Test', run: 'echo tested > tested' },
    {
      name: 'Approve',
      approval: {
        message: 'Deploy to production?',
        by: ['group:default/payments'],
        notByTrigger: true,
        inputs: [
          { name: 'SHARE', type: 'number', minimum: 1, maximum: 100 },
          { name: 'NOTE', required: true },
        ],
      },
    },
    { name: 'Deploy', run: 'cat tested; echo "$SHARE of $NOTE"' },
  ],
};

describe.each(testDatabaseClients())('approvals on %s', databaseClient => {
  let portal: FakePortal;
  let server: TestServer;
  let dispose: () => Promise<void>;
  let dev: BuildClient;
  let agent: TestAgent | undefined;

  async function serve(executors: number): Promise<void> {
    portal = await FakePortal.start({
      groups: {
        'user:default/grace': ['group:default/payments'],
        'user:default/linus': ['group:default/payments'],
        'user:default/mallory': [],
      },
    });
    const opened = await openTestDatabase(databaseClient, buildServer);
    ({ dispose } = opened);
    server = await startBuildServer({
      database: opened.database,
      jobs: [
        DEPLOY,
        { name: 'quick', steps: [{ name: 'Say', run: 'echo quick' }] },
        {
          name: 'open',
          steps: [{ name: 'Go', approval: {}, timeoutSeconds: 3_600 }],
        },
        {
          name: 'hasty',
          steps: [{ name: 'Go', approval: {}, timeoutSeconds: 1 }],
        },
        {
          name: 'lenient',
          steps: [
            {
              ...{ name: 'Hurry', approval: {}, timeoutSeconds: 1 },
              allowFailure: true,
            },
            { name: 'Go', approval: {}, timeoutSeconds: 3_600 },
          ],
        },
      ],
      config: {
        executors,
        portal: { baseUrl: portal.baseUrl },
        auth: {
          users: [
            {
              name: 'dev',
              key: TRIGGER_TOKEN,
              scopes: ['read', 'trigger'],
            },
            { name: 'viewer', key: READ_TOKEN, scopes: ['read'] },
            { name: 'admin', key: 'test-admin-token', scopes: ['admin'] },
          ],
        },
      },
    });
    dev = new BuildClient(server.url);
  }

  const as = async (name: string) =>
    new BuildClient(
      server.url,
      `Bearer ${await portal.token(`user:default/${name}`)}`,
    );

  /** Waits until a build is waiting for a person. */
  async function waiting(path: string): Promise<void> {
    await vi.waitFor(
      async () => {
        const { body } = await dev.get(`${path}approvals`);
        expect(body.approvals).toMatchObject([{ state: 'waiting' }]);
      },
      { timeout: 20_000, interval: 50 },
    );
  }

  afterEach(async () => {
    await agent?.stop();
    agent = undefined;
    await server.stop();
    await dispose();
    await portal.stop();
  });

  it('are given by the users in the file, with values, while other builds run', async () => {
    await serve(1);
    const grace = await as('grace');
    const linus = await as('linus');
    const mallory = await as('mallory');
    const { headers } = await grace.post('/job/deploy/build');
    const item = new URL(headers.get('location')!).pathname;
    const path = await dev.started(item);
    await waiting(path);
    expect((await dev.get(`${path}api/json`)).body).toMatchObject({
      ...{ building: true, waiting: true },
    });
    // The only executor is free.
    expect(await dev.build('quick')).toMatchObject({ result: 'SUCCESS' });
    const next = await dev.trigger('deploy');
    expect((await dev.get(`${next}api/json`)).body.why).toBe(
      'Build #1 is waiting for approval',
    );
    await dev.post(`${next}cancelQueue`);

    const decide = (who: BuildClient, body: object) =>
      who.json(`${path}approvals`, body);
    const approve = {
      step: 'Approve',
      decision: 'approve',
      inputs: { SHARE: '5', NOTE: 'a test' },
    };
    const viewer = new BuildClient(server.url, basic('viewer', READ_TOKEN));
    const nobody = new BuildClient(server.url, null);
    expect((await decide(nobody, approve)).status).toBe(401);
    for (const who of [viewer, dev, mallory, grace]) {
      const { status } = await decide(who, approve);
      expect(status).toBe(403);
    }
    for (const [change, status] of [
      [{ step: 'Test' }, 404],
      [{ decision: 'maybe' }, 400],
      [{ inputs: { SHARE: '0', NOTE: 'x' } }, 400],
      [{ inputs: { SHARE: '5' } }, 400],
    ] as const) {
      const answer = await decide(linus, { ...approve, ...change });
      expect([change, answer.status]).toEqual([change, status]);
    }
    const needsOf = async (who: BuildClient, name: string) => {
      const user = encodeURIComponent(`user:default/${name}`);
      const { body } = await who.get(`/api/v1/entities/${user}/summary`);
      return body.needs;
    };
    expect(await needsOf(linus, 'linus')).toMatchObject([
      {
        key: 'approval:deploy#1:Approve',
        kind: 'approval-pending',
        title: 'deploy #1 needs your approval',
        detail: 'Deploy to production?',
        page: '/builds/deploy/1',
        action: 'Review',
      },
    ]);
    expect(await needsOf(grace, 'grace')).toEqual([]);
    expect(await needsOf(mallory, 'mallory')).toEqual([]);
    expect((await linus.get('/approvals')).body.approvals).toMatchObject([
      {
        job: 'deploy',
        number: 1,
        step: 'Approve',
        message: 'Deploy to production?',
        decidable: true,
        inputs: [{ name: 'SHARE', kind: 'number', minimum: 1 }, {}],
      },
    ]);
    expect((await mallory.get('/approvals')).body.approvals).toEqual([]);

    expect((await decide(linus, approve)).status).toBe(204);
    const again = await decide(linus, { ...approve, decision: 'reject' });
    expect(again.status).toBe(409);
    expect(await dev.ended(path)).toMatchObject({
      result: 'SUCCESS',
      steps: [
        { name: 'Test', state: 'done', needs: [] },
        { name: 'Approve', state: 'done', needs: [0] },
        { name: 'Deploy', state: 'done', needs: [1] },
      ],
    });
    const log = await dev.log(path);
    expect(log).toContain('tested\n5 of a test');
    expect(log).toContain('Approve: approved by linus');
    expect((await dev.get(`${path}approvals`)).body.approvals).toMatchObject([
      { state: 'approved', decidedBy: 'user:default/linus' },
    ]);
    expect((await decide(linus, approve)).status).toBe(409);
  });

  it('fail the build if rejected or not decided in time, and end with it', async () => {
    await serve(2);
    const path = await dev.started(await dev.trigger('open'));
    await waiting(path);
    const reject = { step: 'Go', decision: 'reject', comment: 'not today' };
    expect((await dev.json(`${path}approvals`, reject)).status).toBe(204);
    expect(await dev.ended(path)).toMatchObject({
      result: 'FAILURE',
      reason: 'Go failed: rejected by token:dev: not today',
    });
    expect(await dev.build('hasty')).toMatchObject({
      result: 'FAILURE',
      reason: 'Go failed: nobody decided within 1 seconds',
    });
    const stopped = await dev.started(await dev.trigger('open'));
    await waiting(stopped);
    await dev.post(`${stopped}stop`);
    expect(await dev.ended(stopped)).toMatchObject({
      result: 'ABORTED',
      steps: [{ state: 'failed' }],
    });
    const late = await dev.json(`${stopped}approvals`, reject);
    expect(late.status).toBe(409);
    expect((await dev.get('/approvals')).body.approvals).toEqual([]);
  });

  it('are not given for a step that has ended, while its build goes on', async () => {
    await serve(1);
    const path = await dev.started(await dev.trigger('lenient'));
    await vi.waitFor(
      async () => {
        const { body } = await dev.get(`${path}api/json`);
        expect(body.steps).toMatchObject([
          { name: 'Hurry', state: 'warning' },
          { name: 'Go', state: 'waiting' },
        ]);
        expect((await dev.get('/approvals')).body.approvals).toMatchObject([
          { step: 'Go', expired: false, decidable: true },
        ]);
      },
      { timeout: 20_000, interval: 50 },
    );
    expect((await dev.get(`${path}approvals`)).body.approvals).toMatchObject([
      { step: 'Hurry', expired: true, decidable: false },
      { step: 'Go', expired: false, decidable: true },
    ]);
    const decide = (step: string) =>
      dev.json(`${path}approvals`, { step, decision: 'approve' });
    expect(await decide('Hurry')).toMatchObject({
      status: 409,
      body: { message: 'Hurry no longer waits for a decision' },
    });
    expect((await decide('Go')).status).toBe(204);
    expect(await dev.ended(path)).toMatchObject({ result: 'UNSTABLE' });
  });

  it('reach builds on agents', async () => {
    await serve(0);
    const admin = new BuildClient(
      server.url,
      basic('admin', 'test-admin-token'),
    );
    agent = await startAgent(admin, { capacity: 1 });
    const path = await dev.started(await dev.trigger('open'));
    await waiting(path);
    expect(await dev.build('quick')).toMatchObject({ result: 'SUCCESS' });
    const approve = { step: 'Go', decision: 'approve' };
    expect((await dev.json(`${path}approvals`, approve)).status).toBe(204);
    expect(await dev.ended(path)).toMatchObject({ result: 'SUCCESS' });
  });
});
