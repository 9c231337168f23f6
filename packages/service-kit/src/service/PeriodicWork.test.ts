import type { Logger } from 'pino';
import { type PeriodicWork, schedule } from './PeriodicWork.ts';

type Work = () => unknown;

/** Creates a service that can only be started and stopped. */
function createService(work: PeriodicWork) {
  const starts: Work[] = [];
  const stops: Work[] = [];
  const log: string[] = [];
  schedule(
    {
      logger: {
        info: (message: string) => log.push(message),
        warn: (_details: object, message: string) => log.push(message),
      } as unknown as Logger,
      onStart: start => starts.push(start),
      onStop: stop => stops.push(stop),
    },
    work,
  );
  return {
    log,
    start: () => Promise.all(starts.map(start => start())),
    stop: () => Promise.all(stops.map(stop => stop())),
  };
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it('runs at once and then at its interval, until it stops', async () => {
  let rounds = 0;
  const service = createService({
    name: 'Counting',
    everyMs: 1_000,
    work: async () => {
      rounds += 1;
    },
  });
  await vi.advanceTimersByTimeAsync(5_000);
  expect(rounds).toBe(0);
  await service.start();
  await vi.advanceTimersByTimeAsync(2_500);
  expect(rounds).toBe(3);
  await service.stop();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(rounds).toBe(3);
});

it('never overlaps runs, and waits for the current one', async () => {
  const begun: AbortSignal[] = [];
  let finish = () => {};
  const service = createService({
    name: 'Waiting',
    everyMs: 1_000,
    work: signal => {
      begun.push(signal);
      return new Promise<void>(resolve => {
        finish = resolve;
      });
    },
  });
  await service.start();
  await vi.advanceTimersByTimeAsync(3_500);
  expect(begun).toHaveLength(1);
  let isStopped = false;
  const stopped = service.stop().then(() => {
    isStopped = true;
  });
  await vi.advanceTimersByTimeAsync(1_000);
  expect([begun[0].aborted, isStopped]).toEqual([true, false]);
  finish();
  await stopped;
  expect(isStopped).toBe(true);
});

it('logs once that it fails, and once that it works again', async () => {
  const outcomes = [true, false, false, true, false];
  const service = createService({
    name: 'Looking',
    everyMs: 1_000,
    work: async () => {
      if (!outcomes.shift()) {
        throw new Error('nobody there');
      }
    },
  });
  await service.start();
  await vi.advanceTimersByTimeAsync(4_500);
  expect(service.log).toEqual([
    'Looking failed and will be retried',
    'Looking works again',
    'Looking failed and will be retried',
  ]);
  await service.stop();
});

it('delays the start until the first run is over, if configured', async () => {
  let isDone = false;
  const service = createService({
    name: 'Recovering',
    everyMs: 1_000,
    isAwaitedAtStart: true,
    work: async () => {
      await new Promise(resolve => {
        setTimeout(resolve, 500);
      });
      isDone = true;
    },
  });
  const started = service.start();
  expect(isDone).toBe(false);
  await vi.advanceTimersByTimeAsync(500);
  await started;
  expect(isDone).toBe(true);
  await service.stop();
});

it('does not run all the time at an interval beyond the range of timers', async () => {
  let rounds = 0;
  const service = createService({
    name: 'Counting',
    everyMs: 30 * 86_400_000,
    work: async () => {
      rounds += 1;
    },
  });
  await service.start();
  await vi.advanceTimersByTimeAsync(24 * 86_400_000);
  expect(rounds).toBe(1);
  await service.stop();
});
