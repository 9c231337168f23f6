import type { JobService } from '../jobs/JobParts.ts';
import type { Interruption } from './commands.ts';
import { PlaceLostError } from './Executor.ts';
import type { PlacedBuild } from './PlacedBuild.ts';
import { startServices } from './runServices.ts';

const LOST = new PlaceLostError('The pod was evicted');
const STOPPED: Interruption = { kind: 'stopped', by: 'dev' };

/** Creates a build whose service runs as given; its checks end with `check`. */
function placedWith(
  service: (signal: AbortSignal) => Promise<string | null>,
  check: string | null = null,
): PlacedBuild {
  return {
    place: {
      run: (command: { service?: object; signal: AbortSignal }) =>
        command.service ? service(command.signal) : Promise.resolve(check),
    },
    log: {
      note: async () => {},
      lines: () => ({ write: async () => {}, end: async () => {} }),
    },
  } as unknown as PlacedBuild;
}

const SERVICE: JobService = {
  name: 'db',
  run: 'serve',
  ready: 'ask',
  readySeconds: 5,
};
const { signal } = new AbortController();

it('ends a build whose service lost its place, once its steps have ended', async () => {
  let lose = () => {};
  const placed = placedWith(
    () =>
      new Promise((_resolve, reject) => {
        lose = () => reject(LOST);
      }),
  );
  const running = await startServices(placed, [SERVICE], signal);
  lose();
  // Until then, the failure must not end the process as one that nobody handles.
  await new Promise(resolve => setImmediate(resolve));
  expect(running.failed()).toBe('Service db: it could not run');
  await expect(running.stop()).rejects.toBe(LOST);
});

it('does not wait for a service that lost its place', async () => {
  const placed = placedWith(() => Promise.reject(LOST), 'it is not ready');
  const running = await startServices(placed, [SERVICE], signal);
  expect(running.failure).toBe('Service db: it could not run');
  await expect(running.stop()).rejects.toBe(LOST);
});

it('stops a service that runs', async () => {
  const placed = placedWith(
    own =>
      new Promise((_resolve, reject) => {
        own.throwIfAborted();
        own.addEventListener('abort', () => reject(own.reason));
      }),
  );
  const running = await startServices(placed, [SERVICE], signal);
  expect(running.failure).toBeNull();
  await running.stop();
  expect(running.failed()).toBeNull();
});

it('stops a service that is not ready if its build is stopped', async () => {
  const ending = new AbortController();
  const placed = placedWith(
    own =>
      new Promise((_resolve, reject) => {
        own.throwIfAborted();
        own.addEventListener('abort', () => reject(own.reason));
      }),
    'it is not ready',
  );
  const starting = startServices(placed, [SERVICE], ending.signal);
  ending.abort(STOPPED);
  await expect(starting).rejects.toBe(STOPPED);
});

it('waits for the other services although one has lost its place', async () => {
  let isEnded = false;
  let count = 0;
  const placed = placedWith(async own => {
    count += 1;
    if (count === 1) {
      throw LOST;
    }
    await new Promise(resolve => own.addEventListener('abort', resolve));
    await new Promise(resolve => setImmediate(resolve));
    isEnded = true;
    return null;
  });
  const running = await startServices(
    placed,
    [SERVICE, { ...SERVICE, name: 'queue' }],
    signal,
  );
  await expect(running.stop()).rejects.toBe(LOST);
  expect(isEnded).toBe(true);
});
