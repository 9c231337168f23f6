import { PortalAnswerError } from '@slipway/service-kit';
import { StaleIfErrorCache } from './StaleIfErrorCache.ts';

let now: number;
const onOutage = vi.fn();

function cacheOf(patienceMs?: number): StaleIfErrorCache {
  return new StaleIfErrorCache({
    freshMs: 60_000,
    ...(patienceMs !== undefined && { patienceMs }),
    onOutage,
    now: () => now,
  });
}

beforeEach(() => {
  now = 0;
  onOutage.mockClear();
});

it('returns the cached value after a long wait, and the response to the next caller', async () => {
  const cache = cacheOf(20);
  let answer: (value: string) => void = () => undefined;
  const asked = vi.fn(
    () =>
      new Promise<string>(resolve => {
        answer = resolve;
      }),
  );
  expect(await cache.get('users', asked)).toEqual({
    value: undefined,
    stale: true,
  });
  answer('ada');
  await vi.waitFor(async () =>
    expect(await cache.get('users', asked)).toEqual({
      value: 'ada',
      stale: false,
    }),
  );
  expect(asked).toHaveBeenCalledTimes(1);
});

it('requests a provisional value again after a few seconds, and others when they are out of date', async () => {
  const cache = new StaleIfErrorCache({
    freshMs: 60_000,
    isProvisional: value => value === 'none',
    now: () => now,
  });
  const read = (value: string) => cache.get('count', async () => value);
  await read('none');
  now += 4_000;
  expect(await read('one')).toEqual({ value: 'none', stale: false });
  now += 2_000;
  expect(await read('one')).toEqual({ value: 'one', stale: false });
  now += 59_000;
  expect(await read('two')).toEqual({ value: 'one', stale: false });
});

it('reports each lasting outage once', async () => {
  const cache = cacheOf();
  const down = new Error('down');
  const fail = async () => Promise.reject(down);
  await cache.get('users', fail);
  // Happens with a system that starts at the same time.
  expect(onOutage).not.toHaveBeenCalled();
  for (let round = 0; round < 3; round += 1) {
    now += 10_000;
    await cache.get('users', fail);
  }
  expect(onOutage.mock.calls).toEqual([[down]]);
  now += 10_000;
  await cache.get('users', async () => 'ada');
  now += 60_000;
  expect(await cache.get('users', fail)).toEqual({ value: 'ada', stale: true });
  now += 10_000;
  await cache.get('users', fail);
  expect(onOutage).toHaveBeenCalledTimes(2);
});

it('keeps asking other questions when one is refused', async () => {
  const cache = cacheOf();
  const refuse = async () => Promise.reject(new PortalAnswerError('/', 400));
  const failed = { value: undefined, stale: true };
  expect(await cache.get('wrong', refuse)).toEqual(failed);
  expect(await cache.get('wrong', refuse)).toEqual(failed);
  expect(onOutage).not.toHaveBeenCalled();
  const answer = async () => 'ada';
  expect(await cache.get('users', answer)).toEqual({
    value: 'ada',
    stale: false,
  });
  await cache.get('wrong', async () =>
    Promise.reject(new PortalAnswerError('/', 403)),
  );
  expect(await cache.get('teams', answer)).toEqual(failed);
});
