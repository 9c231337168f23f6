import { setTimeout as sleep } from 'node:timers/promises';
import type { BuildProgress } from '../builds/Build.ts';
import { Progress } from './PlacedBuild.ts';

/** The states of the steps, each time they were saved. */
let saved: string[];

const make = (...names: string[]) =>
  new Progress(
    names.map(name => ({ name })),
    {
      source: null,
      now: () => 1,
      save: async ({ steps }: BuildProgress) => {
        saved.push(steps.map(({ state }) => state).join(' '));
      },
    },
  );

beforeEach(() => {
  saved = [];
});

it('saves the end of a step with the start of the next one', async () => {
  const progress = make('One', 'Two');
  await progress.begin(0);
  progress.end(0, 'done');
  await progress.begin(1);
  progress.end(1, 'done');
  progress.close();
  await sleep(100);
  expect(saved).toEqual(['running pending', 'done running']);
});

it('saves the end of a step soon if other steps go on', async () => {
  const progress = make('One', 'Two');
  await progress.begin(0);
  await progress.begin(1);
  progress.end(1, 'failed');
  await vi.waitFor(() => expect(saved.at(-1)).toBe('running failed'));
  progress.close();
});

it('saves at once that only a person is waited for', async () => {
  const progress = make('One', 'Approve');
  await progress.begin(0);
  await progress.wait(1);
  progress.end(0, 'done');
  progress.close();
  await vi.waitFor(() => expect(saved.at(-1)).toBe('done waiting'));
});
