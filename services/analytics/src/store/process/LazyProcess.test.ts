import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { UnavailableError } from '@slipway/service-kit';
import {
  LazyProcess,
  ProcessEndedError,
  QueryTooHeavyError,
} from './LazyProcess.ts';

const LONG_MS = 60_000;
const { execPath } = process;

const script = new URL('./__fixtures__/sleeper.ts', import.meta.url);

let sleeper: LazyProcess<number | 'compute'>;

function start(options: unknown = {}, idleMs = LONG_MS): void {
  sleeper = new LazyProcess({
    script,
    options,
    idleMs,
  });
}

/** Returns the error of a promise that nobody awaits yet. */
function failureOf(asked: Promise<unknown>): Promise<unknown> {
  return asked.then(
    () => undefined,
    (error: unknown) => error,
  );
}

beforeEach(() => start());

afterEach(async () => {
  vi.useRealTimers();
  process.execPath = execPath;
  await sleeper.close();
});

it('starts with the first query, and runs all queries in one process', async () => {
  expect(sleeper.pid).toBeUndefined();
  const pids = await Promise.all([
    sleeper.ask(20, LONG_MS),
    sleeper.ask(0, LONG_MS),
  ]);
  expect(pids).toEqual([sleeper.pid, sleeper.pid]);
});

it('stops when idle, and restarts with the next query', async () => {
  start({}, 50);
  const first = await sleeper.ask(0, LONG_MS);
  await vi.waitFor(() => expect(sleeper.pid).toBeUndefined());
  expect(await sleeper.ask(100, LONG_MS)).not.toBe(first);
});

it('starts with the next query if the system failed to start it', async () => {
  process.execPath = '/is/not/there';
  await expect(sleeper.ask(0, LONG_MS)).rejects.toThrow(ProcessEndedError);
  await expect(sleeper.ask(0, LONG_MS)).rejects.toThrow(ProcessEndedError);
  process.execPath = execPath;
  expect(await sleeper.ask(0, LONG_MS)).toBe(sleeper.pid);
});

it('reports that the system refused to start a process', async () => {
  // Longer than a command-line argument may be.
  start({ text: 'x'.repeat(200_000) });
  await expect(sleeper.ask(0, LONG_MS)).rejects.toThrow(ProcessEndedError);
});

it('can be closed even if it did not start', async () => {
  process.execPath = '/is/not/there';
  const asked = failureOf(sleeper.ask(0, LONG_MS));
  await sleeper.close();
  expect(await asked).toBeInstanceOf(ProcessEndedError);
});

it('is killed if a query times out, and restarts immediately', async () => {
  const first = await sleeper.ask(0, LONG_MS);
  const other = failureOf(sleeper.ask(LONG_MS, LONG_MS));
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const heavy = failureOf(sleeper.ask('compute', 1_500));
  // Is answered after the computation, which takes long on a busy machine.
  await sleeper.ask(0, LONG_MS);
  vi.advanceTimersByTime(1_500);
  vi.useRealTimers();
  expect(await heavy).toBeInstanceOf(QueryTooHeavyError);
  const second = await sleeper.ask(0, LONG_MS);
  expect(await other).toBeInstanceOf(ProcessEndedError);
  expect(second).not.toBe(first);
});

it('is unavailable if it hangs without working, and restarts', async () => {
  const first = Number(await sleeper.ask(0, LONG_MS));
  process.kill(first, 'SIGSTOP');
  await expect(sleeper.ask(0, 500)).rejects.toThrow(UnavailableError);
  expect(await sleeper.ask(0, LONG_MS)).not.toBe(first);
});

it('restarts after it was killed from outside', async () => {
  const first = Number(await sleeper.ask(0, LONG_MS));
  process.kill(first, 'SIGKILL');
  // The exit of the process may not have been reported yet.
  await expect(sleeper.ask(0, LONG_MS)).rejects.toThrow(ProcessEndedError);
  expect(await sleeper.ask(0, LONG_MS)).not.toBe(first);
});

describe('a process whose service has died', () => {
  it.each([
    { what: 'closes its files if it is idle', asked: [0], ends: [0, null] },
    {
      what: 'does not wait for what it is running',
      asked: [LONG_MS, 0],
      ends: [null, 'SIGKILL'],
    },
  ])('$what', async ({ asked, ends }) => {
    const child = fork(fileURLToPath(script), ['{}'], { execArgv: [] });
    const ended = once(child, 'exit');
    await once(child, 'message');
    asked.forEach((request, id) => child.send({ id, request }));
    await once(child, 'message');
    child.disconnect();
    expect(await ended).toEqual(ends);
  });
});
