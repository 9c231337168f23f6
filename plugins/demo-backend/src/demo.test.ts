import {
  mockCredentials,
  mockServices,
  startTestBackend,
} from '@backstage/backend-test-utils';
import {
  coreServices,
  createBackendPlugin,
} from '@backstage/backend-plugin-api';
import { AuthorizeResult } from '@backstage/plugin-permission-common';
import request from 'supertest';
import { DemoRunner } from './DemoRunner';
import type { DemoPart, PartContext } from './parts/DemoPart';
import { createDemoRoutes } from './routes';
import {
  DatabaseDemoState,
  openDemoDatabase,
} from './storage/DatabaseDemoState';

const ADA = mockCredentials.user.header('user:default/ada');

/** A part whose work ends when the test says so. */
class HeldPart implements DemoPart {
  readonly title: string;
  readonly writes = 'things';
  readonly did: string[] = [];
  readonly guests: (readonly string[])[] = [];
  isRemovedLast = false;
  failure: string | undefined;

  constructor(readonly id: string) {
    this.title = `Part ${id}`;
  }

  async load({ onProgress, story }: PartContext): Promise<void> {
    this.did.push('load');
    this.guests.push(story.guests);
    onProgress(1, 2);
    if (this.failure) {
      throw new Error(this.failure);
    }
  }

  async remove(): Promise<void> {
    this.did.push('remove');
  }
}

async function start(
  options: { refusal?: string; result?: AuthorizeResult } = {},
) {
  const parts = [new HeldPart('one'), new HeldPart('two')];
  const clock = { now: Date.UTC(2026, 10, 23) };
  let runner!: DemoRunner;
  const plugin = createBackendPlugin({
    pluginId: 'demo',
    register(env) {
      env.registerInit({
        deps: {
          auth: coreServices.auth,
          database: coreServices.database,
          discovery: coreServices.discovery,
          httpAuth: coreServices.httpAuth,
          httpRouter: coreServices.httpRouter,
          logger: coreServices.logger,
          permissions: coreServices.permissions,
        },
        async init(deps) {
          const knex = await openDemoDatabase(deps.database);
          runner = new DemoRunner({
            parts,
            state: new DatabaseDemoState(knex),
            logger: deps.logger,
            appUrl: 'http://localhost:3000',
            guests: ['user:default/grace'],
            now: () => clock.now,
          });
          deps.httpRouter.use(
            createDemoRoutes({
              refusal: undefined,
              ...options,
              ...deps,
              runner,
              parts,
            }),
          );
        },
      });
    },
  });
  const { server } = await startTestBackend({
    features: [
      plugin,
      mockServices.permissions.factory({
        result: (options.result ??
          AuthorizeResult.ALLOW) as AuthorizeResult.ALLOW,
      }),
    ],
  });
  const call = (method: 'get' | 'post' | 'delete' | 'put', as = ADA) =>
    request(server)[method]('/api/demo/organisation').set('Authorization', as);
  return { parts, call, clock, runner };
}

it('loads all parts with progress, and removes them again', async () => {
  const { parts, call, runner } = await start();
  expect((await call('get')).body).toMatchObject({
    phase: 'absent',
    mayManage: true,
    refusal: null,
    writes: [
      { id: 'one', title: 'Part one', writes: 'things' },
      { id: 'two', title: 'Part two', writes: 'things' },
    ],
  });

  const begun = await call('post');
  expect(begun.status).toBe(202);
  expect(begun.body).toMatchObject({
    phase: 'loading',
    startedBy: 'user:default/ada',
  });
  await runner.settled();
  expect((await call('get')).body).toMatchObject({
    phase: 'loaded',
    steps: [
      { id: 'one', status: 'done', done: 1, total: 2 },
      { id: 'two', status: 'done', done: 1, total: 2 },
    ],
  });
  expect(parts[0].guests).toEqual([['user:default/ada', 'user:default/grace']]);

  expect((await call('post')).status).toBe(409);
  expect((await call('delete')).status).toBe(202);
  await runner.settled();
  expect((await call('get')).body).toMatchObject({
    phase: 'absent',
    steps: [],
  });
  expect(parts.map(({ did }) => did)).toEqual([
    ['load', 'remove'],
    ['load', 'remove'],
  ]);
});

it('names the failed part, and removes the data of the others', async () => {
  const { parts, call, runner } = await start();
  parts[1].failure = 'down';
  await call('post');
  await runner.settled();
  expect((await call('get')).body).toMatchObject({
    phase: 'failed',
    error: 'Part two: down',
    steps: [{ status: 'done' }, { status: 'failed' }],
  });
  const again = await call('post');
  expect(again.status).toBe(409);
  expect(again.body.error.message).toContain('remove it first');
  await call('delete');
  await runner.settled();
  expect((await call('get')).body.phase).toBe('absent');
});

it('removes what follows from other parts after them, even if one fails', async () => {
  const { parts, call, runner } = await start();
  const order: string[] = [];
  parts[0].isRemovedLast = true;
  parts[0].remove = async () => {
    order.push('last');
  };
  parts[1].remove = async () => {
    await Promise.resolve();
    order.push('first');
    throw new Error('down');
  };
  await call('delete');
  await runner.settled();
  expect(order).toEqual(['first', 'last']);
  expect((await call('get')).body).toMatchObject({
    phase: 'failed',
    error: 'Part two: down',
  });
});

it('treats work without a heartbeat as lost', async () => {
  const { call, clock, parts, runner } = await start();
  parts[0].load = () => new Promise(() => {});
  await call('post');
  expect((await call('delete')).status).toBe(409);
  clock.now += 100_000;
  expect((await call('get')).body).toMatchObject({ phase: 'failed' });
  expect((await call('delete')).status).toBe(202);
  await runner.settled();
  expect((await call('get')).body.phase).toBe('absent');
});

it('rejects loading if disabled by configuration, but allows removal', async () => {
  const { call } = await start({ refusal: 'Not here' });
  const refused = await call('post');
  expect(refused.status).toBe(403);
  expect(refused.body.error.message).toBe('Not here');
  expect((await call('get')).body.refusal).toBe('Not here');
  expect((await call('delete')).status).toBe(202);
});

it('shows it to everyone, and allows only admins to change it', async () => {
  const { call } = await start({ result: AuthorizeResult.DENY });
  expect((await call('get')).body.mayManage).toBe(false);
  expect((await call('post')).status).toBe(403);
  expect((await call('delete')).status).toBe(403);
  expect((await call('put')).status).toBe(405);
  expect((await call('get', mockCredentials.none.header())).status).toBe(401);
  const service = mockCredentials.service.header();
  expect((await call('post', service)).status).toBe(403);
});
