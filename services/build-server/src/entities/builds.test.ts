import {
  FakePortal,
  openTestDatabase,
  testDatabaseClients,
} from '@slipway/service-kit/testing';
import { BuildClient } from '../__testUtils__/BuildClient.ts';
import {
  HELLO,
  startBuildServer,
  type TestServer,
} from '../__testUtils__/startBuildServer.ts';
import { buildServer } from '../service.ts';

const component = (name: string, job?: string) => ({
  kind: 'Component',
  metadata: {
    name,
    ...(job && { annotations: { 'slipway.dev/build-job': job } }),
  },
  relations: [{ type: 'ownedBy', targetRef: 'group:default/payments' }],
});

describe.each(testDatabaseClients())('builds of entities on %s', client => {
  let portal: FakePortal;
  let server: TestServer;
  let grace: BuildClient;
  let dispose: () => Promise<void>;

  beforeAll(async () => {
    const opened = await openTestDatabase(client, buildServer);
    dispose = opened.dispose;
    portal = await FakePortal.start({
      groups: { 'user:default/grace': ['group:default/payments'] },
    });
    portal.entities = [
      component('shop', 'hello'),
      component('till', 'broken'),
      component('docs'),
      { kind: 'Group', metadata: { name: 'payments' } },
    ];
    server = await startBuildServer({
      database: opened.database,
      jobs: [
        HELLO,
        {
          name: 'broken',
          owner: 'group:default/payments',
          steps: [{ name: 'Compile', run: 'exit 3' }],
        },
      ],
      config: { portal: { baseUrl: portal.baseUrl } },
    });
    grace = new BuildClient(
      server.url,
      `Bearer ${await portal.token('user:default/grace', { service: 'build-server' })}`,
    );
    const dev = new BuildClient(server.url);
    await dev.build('hello');
    await dev.build('broken');
  });

  afterAll(async () => {
    await server.stop();
    await portal.stop();
    await dispose();
  });

  const get = async (ref: string, rest: string) => {
    const { status, body } = await grace.get(
      `/api/v1/entities/${encodeURIComponent(ref)}/${rest}`,
    );
    expect(status).toBe(200);
    return body;
  };

  it('reports the last build of a component', async () => {
    const summary = await get('component:default/shop', 'summary');
    expect(summary).toMatchObject({
      state: 'good',
      page: '/builds/hello',
      needs: [],
    });
    expect(summary.facts).toEqual([
      {
        id: 'last',
        label: 'Last build',
        kind: 'text',
        value: '#1 succeeded',
        at: expect.any(String),
        by: 'token:dev',
        page: '/builds/hello/1',
        tone: 'good',
      },
      expect.objectContaining({ id: 'builds', value: 1 }),
      expect.objectContaining({ id: 'success-rate', value: 100 }),
      expect.objectContaining({ id: 'duration', value: expect.any(Number) }),
    ]);
  });

  it('creates needs for a failed build, of a component and its team', async () => {
    const need = {
      key: 'build:broken#1',
      kind: 'build-failed',
      title: 'broken #1 failed',
      detail: expect.stringContaining('Compile'),
      at: expect.any(String),
      tone: 'bad',
      page: '/builds/broken/1',
      action: 'View build',
      entityRef: 'component:default/till',
    };
    for (const ref of [
      'component:default/till',
      'group:default/payments',
      'user:default/grace',
    ]) {
      const summary = await get(ref, 'summary');
      expect(summary.state).toBe('bad');
      expect(summary.needs).toEqual([need]);
    }
  });

  it('sums the jobs of a team up', async () => {
    const { facts } = await get('group:default/payments', 'summary');
    expect(facts).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ id: 'failing', value: 1, tone: 'bad' }),
        expect.objectContaining({ id: 'builds', value: 2 }),
        expect.objectContaining({ id: 'success-rate', value: 50 }),
      ]),
    );
  });

  it('lists builds on the timeline', async () => {
    const { items } = await get('group:default/payments', 'timeline');
    expect(items).toEqual([
      expect.objectContaining({
        kind: 'build',
        title: 'broken #1',
        state: 'Failed',
        tone: 'bad',
        page: '/builds/broken/1',
        entityRef: 'component:default/till',
      }),
      expect.objectContaining({
        title: 'hello #1',
        state: 'Succeeded',
        entityRef: 'component:default/shop',
      }),
    ]);
    expect(
      await get('group:default/payments', 'timeline?kind=incident'),
    ).toEqual({ items: [], truncated: false });
  });

  it('explains how to connect a component without a job', async () => {
    expect(await get('component:default/docs', 'summary')).toMatchObject({
      state: 'unconnected',
      message: expect.stringContaining('slipway.dev/build-job'),
    });
    expect(await get('component:default/docs', 'timeline')).toEqual({
      items: [],
      truncated: false,
    });
  });
});
