import { openTestDatabase } from '@slipway/service-kit/testing';
import type { Permissions } from '../access/Permissions.ts';
import { JobCatalog } from '../jobs/JobCatalog.ts';
import { BuildStore } from '../storage/BuildStore.ts';
import { GateStore } from '../storage/GateStore.ts';
import { Approvals } from './Approvals.ts';

const MIGRATIONS = new URL('../../migrations/', import.meta.url);

it('reads the builds of all pending approvals in one statement', async () => {
  const { database, dispose } = await openTestDatabase('sqlite', {
    migrations: MIGRATIONS,
  });
  const store = new BuildStore({ database });
  const gates = new GateStore({ database, now: () => 5 });
  await store.registerJobs(['hello']);
  for (const number of [1, 2, 3]) {
    const { build } = await store.enqueue({
      job: 'hello',
      cause: 'Triggered by dev',
      triggeredBy: number === 2 ? 'token:ada' : 'token:dev',
      parameters: {},
      source: null,
      delivery: null,
      queuedAt: 1,
      dueAt: 1,
      joinsWaiting: false,
    });
    await gates.ask(
      { id: build.id, attempt: 1, worker: 'one' },
      { step: 'Approve', approval: { notByTrigger: true } },
    );
  }
  const approvals = new Approvals({
    gates,
    store,
    jobs: new JobCatalog(),
    permissions: {
      mayTrigger: async () => true,
    } as unknown as Permissions,
  });
  const statements: string[] = [];
  database.knex.on('query', ({ sql }: { sql: string }) => statements.push(sql));

  const pending = await approvals.listFor({
    kind: 'basic',
    id: 'ada',
    scopes: [],
  });

  expect(pending.map(({ build }) => build.number)).toEqual([1, 3]);
  expect(statements).toHaveLength(2);
  await dispose();
});
