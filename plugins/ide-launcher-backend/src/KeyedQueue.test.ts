import { KeyedQueue } from './queues';

describe('KeyedQueue', () => {
  it('shares running work between callers, and repeats it for later ones', async () => {
    const queue = new KeyedQueue();
    const works: string[] = [];
    const ask = (name: string) =>
      queue.share('a', 'stop', async () => {
        works.push(name);
      });

    const asked = Promise.all([ask('first'), ask('second')]);
    expect(queue.has('a', 'stop')).toBe(true);
    await asked;
    expect(queue.has('a', 'stop')).toBe(false);
    await ask('third');
    expect(works).toEqual(['first', 'third']);
  });

  it('runs the work of different ids separately', async () => {
    const queue = new KeyedQueue();
    const done = vi.fn(async () => {});
    await Promise.all([
      queue.share('a', 'stop', done),
      queue.share('b', 'stop', done),
    ]);
    expect(done).toHaveBeenCalledTimes(2);
  });

  it('reports a failure to all callers, and allows another attempt', async () => {
    const queue = new KeyedQueue();
    const failing = queue.share('a', 'stop', async () => {
      throw new Error('EBUSY');
    });
    const joining = queue.share('a', 'stop', async () => {});

    await expect(failing).rejects.toThrow('EBUSY');
    await expect(joining).rejects.toThrow('EBUSY');
    await expect(queue.idle()).resolves.toBeUndefined();
    await expect(
      queue.share('a', 'stop', async () => {}),
    ).resolves.toBeUndefined();
  });

  it('runs the actions of one key one after another, also after a failure', async () => {
    const queue = new KeyedQueue();
    const order: string[] = [];
    const work = (name: string) => async () => {
      order.push(`${name} begins`);
      await new Promise(resolve => setImmediate(resolve));
      order.push(`${name} ends`);
      throw new Error(name);
    };
    await Promise.allSettled([
      queue.run('a', 'start', work('start')),
      queue.run('a', 'stop', work('stop')),
    ]);
    expect(order).toEqual([
      'start begins',
      'start ends',
      'stop begins',
      'stop ends',
    ]);
  });

  it('aborts the actions of a kind, running or waiting, and no others', async () => {
    const queue = new KeyedQueue();
    const aborted: string[] = [];
    const work = (name: string) => async (signal: AbortSignal) => {
      await new Promise(resolve => setImmediate(resolve));
      if (signal.aborted) {
        aborted.push(name);
      }
    };
    const all = [
      queue.run('a', 'start', work('runs')),
      queue.run('a', 'start', work('waits')),
      queue.run('a', 'stop', work('stop')),
      queue.run('b', 'start', work('elsewhere')),
    ];
    queue.abort('start', 'a');
    await Promise.all(all);
    expect(aborted).toEqual(['runs', 'waits']);
  });
});
