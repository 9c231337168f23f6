import type { Logger } from 'pino';
import { CleanUp } from './CleanUp.ts';

const warn = vi.fn();

function cleanUp(...works: (() => unknown)[]): CleanUp {
  const logger = { warn } as unknown as Logger;
  const made = new CleanUp({ logger, timeoutMs: 2_000 });
  works.forEach(work => made.add(work));
  return made;
}

const never = () => new Promise(() => undefined);
let done: string[];
const note = (name: string) => async () => void done.push(name);

beforeEach(() => {
  vi.useFakeTimers();
  warn.mockClear();
  done = [];
});

afterEach(() => {
  vi.useRealTimers();
});

it('releases resources in reverse order, once', async () => {
  const works = cleanUp(note('database'), note('jobs'));
  await works.run();
  await works.run();
  expect(done).toEqual(['jobs', 'database']);
});

it('continues after a failure', async () => {
  const failing = () => {
    throw new Error('no');
  };
  await cleanUp(note('database'), failing).run();
  expect(done).toEqual(['database']);
  expect(warn).toHaveBeenCalledTimes(1);
});

it('gives up on steps that never end, within the time limit', async () => {
  const run = cleanUp(note('database'), never, never).run();
  await vi.advanceTimersByTimeAsync(1_999);
  expect(warn).not.toHaveBeenCalled();
  // The second step hangs when no time is left, so it gets the minimum of one second.
  await vi.advanceTimersByTimeAsync(1_001);
  await run;
  expect(done).toEqual(['database']);
  expect(warn).toHaveBeenCalledTimes(2);
});
