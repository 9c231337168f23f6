import { setTimeout as sleep } from 'node:timers/promises';
import { UnavailableError } from '@slipway/service-kit';
import { type Requester, QueryQueue } from './QueryQueue.ts';

/** Returns queries that run until the test ends them. */
function queries(queue: QueryQueue) {
  const begun: number[] = [];
  const ends = new Map<number, () => void>();
  return {
    begun,
    end: (id: number) => ends.get(id)!(),
    ask: (id: number, requester?: Requester) =>
      queue.run(async () => {
        begun.push(id);
        await new Promise<void>(resolve => {
          ends.set(id, resolve);
        });
        return id;
      }, requester),
  };
}

it('runs a limited number of queries at once, and the others in order', async () => {
  const { ask, begun, end } = queries(new QueryQueue({ atOnce: 2 }));
  const answers = Promise.all([1, 2, 3, 4].map(id => ask(id)));
  expect(begun).toEqual([1, 2]);
  end(2);
  await vi.waitFor(() => expect(begun).toEqual([1, 2, 3]));
  end(1);
  await vi.waitFor(() => expect(begun).toEqual([1, 2, 3, 4]));
  end(3);
  end(4);
  expect(await answers).toEqual([1, 2, 3, 4]);
});

it('continues after a failure', async () => {
  const queue = new QueryQueue({ atOnce: 1 });
  const failing = queue.run(() => Promise.reject(new Error('no')));
  const next = queue.run(async () => 'answer');
  await expect(failing).rejects.toThrow('no');
  expect(await next).toBe('answer');
});

it('rejects queries that wait too long, without running them', async () => {
  const queue = new QueryQueue({ atOnce: 1, waitMs: 20 });
  const { ask, begun, end } = queries(queue);
  const first = ask(1);
  await expect(ask(2)).rejects.toThrow(UnavailableError);
  const third = ask(3);
  end(1);
  await first;
  await sleep(30);
  end(3);
  expect(await third).toBe(3);
  expect(begun).toEqual([1, 3]);
});

it('rejects queries immediately if too many wait', async () => {
  const queue = new QueryQueue({ atOnce: 1 });
  const { ask, begun, end } = queries(queue);
  const taken = Array.from({ length: 51 }, (_, id) => ask(id));
  await expect(ask(51)).rejects.toThrow(UnavailableError);
  for (let id = 0; id < 51; id += 1) {
    await sleep(0);
    expect(begun).toContain(id);
    end(id);
  }
  expect(await Promise.all(taken)).toHaveLength(51);
});

it('alternates between lanes, regardless of their length', async () => {
  const { ask, begun, end } = queries(new QueryQueue({ atOnce: 1 }));
  const all = [
    ...[1, 2, 3, 4].map(id => ask(id, { lane: 'ada' })),
    ask(5, { lane: 'grace' }),
    ask(6, { lane: 'lin' }),
  ];
  for (let turn = 0; turn < all.length; turn += 1) {
    await vi.waitFor(() => expect(begun).toHaveLength(turn + 1));
    end(begun[turn]);
  }
  expect(await Promise.all(all)).toEqual([1, 2, 3, 4, 5, 6]);
  expect(begun).toEqual([1, 2, 5, 6, 3, 4]);
});

it('does not run queries whose callers have left', async () => {
  const queue = new QueryQueue({ atOnce: 1 });
  const { ask, begun, end } = queries(queue);
  const first = ask(1);
  const gone = new AbortController();
  const second = ask(2, { lane: '', signal: gone.signal });
  const third = ask(3);
  gone.abort(new Error('gone'));
  await expect(second).rejects.toThrow('gone');
  end(1);
  await first;
  await vi.waitFor(() => expect(begun).toEqual([1, 3]));
  end(3);
  expect(await third).toBe(3);
  await expect(ask(4, { lane: '', signal: gone.signal })).rejects.toThrow(
    'gone',
  );
});
