import type { LostBuilds } from '../agents/LostBuilds.ts';
import type { BuildStore } from '../storage/BuildStore.ts';
import type { Executor } from './Executor.ts';
import { recoverBuilds, WorkerIdentity } from './recoverBuilds.ts';

it('counts what it ended although files of builds cannot be removed', async () => {
  const ended: number[] = [];
  const executor: Pick<Executor, 'sweep' | 'tidy'> = {
    sweep: async () => undefined,
    tidy: () => Promise.reject(new Error('A file is immutable')),
  };
  const builds = await recoverBuilds({
    store: {
      listRunning: async () => [{ id: 7, worker: 'gone', leaseUntil: 1 }],
    } as unknown as BuildStore,
    executor: executor as Executor,
    identity: await WorkerIdentity.create(),
    lost: {
      async end({ id }: { id: number }) {
        ended.push(id);
        return true;
      },
    } as unknown as LostBuilds,
    now: () => 10_002,
  });
  expect(ended).toEqual([7]);
  expect(builds).toBe(1);
});

it('ends the other builds although one cannot be ended', async () => {
  const ended: number[] = [];
  const recovered = recoverBuilds({
    store: {
      listRunning: async () =>
        [7, 8].map(id => ({ id, worker: 'gone', leaseUntil: 1 })),
    } as unknown as BuildStore,
    executor: { sweep: async () => undefined },
    identity: await WorkerIdentity.create(),
    lost: {
      async end({ id }: { id: number }) {
        if (id === 7) {
          throw new Error('Its log cannot be written');
        }
        ended.push(id);
        return true;
      },
    } as unknown as LostBuilds,
    now: () => 10_002,
  });
  await expect(recovered).rejects.toThrow('Lost builds could not be ended');
  expect(ended).toEqual([8]);
});

it.each(['a server', 'agent.1.a'])(
  'gives %s time to stop builds whose lease has expired',
  async worker => {
    const ended: number[] = [];
    let now = 20_000;
    const recover = async () =>
      recoverBuilds({
        store: {
          listRunning: async () => [{ id: 7, worker, leaseUntil: 10_000 }],
        } as unknown as BuildStore,
        executor: { sweep: async () => undefined },
        identity: await WorkerIdentity.create(),
        lost: {
          async end({ id }: { id: number }) {
            ended.push(id);
            return true;
          },
        } as unknown as LostBuilds,
        now: () => now,
      });
    await recover();
    expect(ended).toEqual([]);
    now += 1;
    await recover();
    expect(ended).toEqual([7]);
  },
);
