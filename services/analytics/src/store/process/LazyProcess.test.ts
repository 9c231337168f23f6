import { UnavailableError } from '@slipway/service-kit';
import {
  LazyProcess,
  ProcessEndedError,
  QueryTooHeavyError,
} from './LazyProcess.ts';

const LONG_MS = 10_000;
const { execPath } = process;

let sleeper: LazyProcess<number | 'compute'>;

function start(options: unknown = {}, idleMs = LONG_MS): void {
  sleeper = new LazyProcess({
    script: new URL('./__fixtures__/sleeper.ts', import.meta.url),
    options,
    idleMs,
  });
}

/** What it fails with, though nobody waits for it yet. */
function failureOf(asked: Promise<unknown>): Promise<unknown> {
  return asked.then(
    () => undefined,
    (error: unknown) => error,
  );
}

beforeEach(() => start());

afterEach(async () => {
  process.execPath = execPath;
  await sleeper.close();
});

it('starts by the first question, and is one process for all', async () => {
  expect(sleeper.pid).toBeUndefined();
  const pids = await Promise.all([
    sleeper.ask(20, LONG_MS),
    sleeper.ask(0, LONG_MS),
  ]);
  expect(pids).toEqual([sleeper.pid, sleeper.pid]);
});

it('ends when nothing is asked for a while, and starts anew', async () => {
  start({}, 50);
  const first = await sleeper.ask(0, LONG_MS);
  await vi.waitFor(() => expect(sleeper.pid).toBeUndefined(), {
    timeout: 10_000,
  });
  expect(await sleeper.ask(100, LONG_MS)).not.toBe(first);
});

it('starts by the next question where the system started none', async () => {
  process.execPath = '/is/not/there';
  await expect(sleeper.ask(0, LONG_MS)).rejects.toThrow(ProcessEndedError);
  await expect(sleeper.ask(0, LONG_MS)).rejects.toThrow(ProcessEndedError);
  process.execPath = execPath;
  expect(await sleeper.ask(0, LONG_MS)).toBe(sleeper.pid);
});

it('says so where the system refuses a process at once', async () => {
  // Longer than an argument may be.
  start({ text: 'x'.repeat(200_000) });
  await expect(sleeper.ask(0, LONG_MS)).rejects.toThrow(ProcessEndedError);
});

it('closes though it did not start', async () => {
  process.execPath = '/is/not/there';
  const asked = failureOf(sleeper.ask(0, LONG_MS));
  await sleeper.close();
  expect(await asked).toBeInstanceOf(ProcessEndedError);
});

it('is killed by a question that takes too long, and starts anew at once', async () => {
  const first = await sleeper.ask(0, LONG_MS);
  const other = failureOf(sleeper.ask(LONG_MS, LONG_MS));
  await expect(sleeper.ask('compute', 500)).rejects.toThrow(QueryTooHeavyError);
  const second = await sleeper.ask(0, LONG_MS);
  expect(await other).toBeInstanceOf(ProcessEndedError);
  expect(second).not.toBe(first);
});

it('is unavailable where it did nothing, and starts anew', async () => {
  const first = Number(await sleeper.ask(0, LONG_MS));
  process.kill(first, 'SIGSTOP');
  await expect(sleeper.ask(0, 500)).rejects.toThrow(UnavailableError);
  expect(await sleeper.ask(0, LONG_MS)).not.toBe(first);
});

it('starts anew when it was killed from outside', async () => {
  const first = Number(await sleeper.ask(0, LONG_MS));
  process.kill(first, 'SIGKILL');
  // It may not be known yet that it is gone.
  await expect(sleeper.ask(0, LONG_MS)).rejects.toThrow(ProcessEndedError);
  expect(await sleeper.ask(0, LONG_MS)).not.toBe(first);
});
