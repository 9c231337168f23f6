import { setTimeout as sleep } from 'node:timers/promises';
import { UnavailableError } from '@slipway/service-kit';
import { QuestionQueue } from './QuestionQueue.ts';

/** Questions that end when they are told to. */
function questions(queue: QuestionQueue) {
  const begun: number[] = [];
  const ends = new Map<number, () => void>();
  return {
    begun,
    end: (id: number) => ends.get(id)!(),
    ask: (id: number) =>
      queue.run(async () => {
        begun.push(id);
        await new Promise<void>(resolve => {
          ends.set(id, resolve);
        });
        return id;
      }),
  };
}

it('asks so many at once, and the others in order', async () => {
  const { ask, begun, end } = questions(new QuestionQueue({ atOnce: 2 }));
  const answers = Promise.all([1, 2, 3, 4].map(ask));
  expect(begun).toEqual([1, 2]);
  end(2);
  await vi.waitFor(() => expect(begun).toEqual([1, 2, 3]));
  end(1);
  await vi.waitFor(() => expect(begun).toEqual([1, 2, 3, 4]));
  end(3);
  end(4);
  expect(await answers).toEqual([1, 2, 3, 4]);
});

it('goes on after one that failed', async () => {
  const queue = new QuestionQueue({ atOnce: 1 });
  const failing = queue.run(() => Promise.reject(new Error('no')));
  const next = queue.run(async () => 'answer');
  await expect(failing).rejects.toThrow('no');
  expect(await next).toBe('answer');
});

it('refuses whose turn does not come in time, and asks them nothing', async () => {
  const queue = new QuestionQueue({ atOnce: 1, waitMs: 20 });
  const { ask, begun, end } = questions(queue);
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

it('refuses at once where many wait', async () => {
  const queue = new QuestionQueue({ atOnce: 1 });
  const { ask, begun, end } = questions(queue);
  const taken = Array.from({ length: 51 }, (_, id) => ask(id));
  await expect(ask(51)).rejects.toThrow(UnavailableError);
  for (let id = 0; id < 51; id += 1) {
    await sleep(0);
    expect(begun).toContain(id);
    end(id);
  }
  expect(await Promise.all(taken)).toHaveLength(51);
});
