import { setTimeout as sleep } from 'node:timers/promises';
import { Semaphore } from './queues';

const never = new AbortController().signal;

describe('Semaphore', () => {
  it('limits concurrency, in order', async () => {
    const semaphore = new Semaphore(2);
    const order: number[] = [];
    let inside = 0;
    let most = 0;
    await Promise.all(
      [1, 2, 3, 4, 5].map(number =>
        semaphore.run(never, async () => {
          order.push(number);
          inside += 1;
          most = Math.max(most, inside);
          await sleep(5);
          inside -= 1;
        }),
      ),
    );
    expect(most).toBe(2);
    expect(order).toEqual([1, 2, 3, 4, 5]);
  });

  it('removes an aborted waiter, and releases the slot of a failed task', async () => {
    const semaphore = new Semaphore(1);
    const failing = semaphore.run(never, async () => {
      await sleep(20);
      throw new Error('broken');
    });
    const abort = new AbortController();
    const waiting = semaphore.run(abort.signal, async () => 'never');
    abort.abort(new Error('gave up'));

    await expect(waiting).rejects.toThrow('gave up');
    await expect(failing).rejects.toThrow('broken');
    expect(await semaphore.run(never, async () => 'next')).toBe('next');
  });
});
