import type { Database } from '@slipway/service-kit';
import {
  openTestDatabase,
  testDatabaseClients,
} from '@slipway/service-kit/testing';
import { Bench } from '../__testUtils__/Bench.ts';
import { TRIGGER_TOKEN } from '../__testUtils__/startBuildServer.ts';
import type { Job } from '../jobs/Job.ts';
import { JobCatalog } from '../jobs/JobCatalog.ts';
import { buildServer } from '../service.ts';
import { StepSecrets } from '../secrets/StepSecrets.ts';
import { BranchStore } from '../storage/BranchStore.ts';
import { BuildStore } from '../storage/BuildStore.ts';
import { SkipStore } from '../storage/SkipStore.ts';
import { Revisions } from './Revisions.ts';

const shop: Job = { name: 'shop', pipelines: {}, steps: [] };
const source = { ref: 'refs/heads/main', commits: [] };
const toMain = { source, isStrict: true };

describe.each(testDatabaseClients())('branches on %s', databaseClient => {
  let database: Database;
  let dispose: () => Promise<void>;

  beforeEach(async () => {
    const opened = await openTestDatabase(databaseClient, buildServer);
    ({ database, dispose } = opened);
  });

  afterEach(() => dispose());

  /** One of several servers that share the database. */
  function replica(): Revisions {
    return new Revisions({
      jobs: new JobCatalog([
        { file: 'shop.yaml', name: 'shop', job: shop, faults: [] },
      ]),
      branches: new BranchStore(database),
      builds: new BuildStore({ database }),
      skips: new SkipStore(database),
      secrets: new StepSecrets({}),
      git: { protocols: [] },
      path: '',
      now: () => 7,
    });
  }

  it('that another replica has removed are added again by their next event', async () => {
    const [one, other] = [replica(), replica()];
    await one.jobOf(shop, toMain, { withinMs: 0 });
    await other.refresh();
    await other.close(shop, { ref: source.ref });
    const [closed] = await database.knex('jobs').where({ name: 'shop/main' });
    expect(closed).toMatchObject({ parent: null });
    expect(await one.jobOf(shop, toMain, { withinMs: 0 })).toMatchObject({
      name: 'shop/main',
    });
    const [row] = await database.knex('jobs').where({ name: 'shop/main' });
    expect([row.parent, Number(row.seen_at)]).toEqual(['shop', 7]);
  });

  it('are removed by a replica that has not seen them yet', async () => {
    const [one, other] = [replica(), replica()];
    await one.jobOf(shop, toMain, { withinMs: 0 });
    await other.close(shop, { ref: source.ref });
    expect(await new BranchStore(database).list()).toEqual([]);
  });
});

it('answers a webhook for the other branches while one is disabled', async () => {
  const bench = await Bench.open();
  const admin = { name: 'dev', key: TRIGGER_TOKEN };
  const client = await bench.start(
    [
      {
        ...{ name: 'shop', pipelines: {} },
        source: { repository: `file://${bench.scratch}/shop.git` },
        webhook: { token: 'hello-webhook' },
      } as never,
    ],
    {
      executors: 0,
      auth: {
        users: [{ ...admin, scopes: ['read', 'trigger', 'admin'] }],
      },
    },
  );
  const push = async (...names: string[]) => {
    const changes = names.map(name => ({
      new: { type: 'branch', name, target: { hash: 'a'.repeat(40) } },
    }));
    const { status, body } = await client.json(
      '/generic-webhook-trigger/invoke?token=test-webhook-token',
      { repository: { full_name: 'org/shop' }, push: { changes } },
      { 'x-event-key': 'repo:push' },
    );
    return { status, outcome: body.jobs?.shop };
  };
  try {
    await push('main');
    expect((await client.post('/job/shop%2Fmain/disable')).status).toBe(302);
    const { status, outcome } = await push('main', 'feature');
    expect(status).toBe(200);
    expect(outcome).toMatchObject({
      ...{ triggered: true, buildNumber: 1 },
      further: [
        {
          triggered: false,
          reason: 'The job is disabled by token:dev',
        },
      ],
    });
  } finally {
    await bench.close();
  }
});
