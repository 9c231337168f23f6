import { setTimeout as sleep } from 'node:timers/promises';
import { mockServices } from '@backstage/backend-test-utils';
import { untilStored } from './untilStored';

const logger = mockServices.rootLogger();
const never = new AbortController().signal;
const lost = () => new Error('Connection terminated unexpectedly');
const refused = (code: string) =>
  Object.assign(new Error(`refused: ${code}`), { code });

describe('untilStored', () => {
  it('tries again until the database answers', async () => {
    const access = vi
      .fn<() => Promise<string>>()
      .mockRejectedValueOnce(lost())
      .mockRejectedValueOnce(refused('57P03'))
      .mockRejectedValueOnce(refused('SQLITE_BUSY'))
      .mockResolvedValue('stored');
    vi.useFakeTimers();
    try {
      const stored = untilStored(logger, never, access);
      await vi.advanceTimersByTimeAsync(60_000);
      expect(await stored).toBe('stored');
    } finally {
      vi.useRealTimers();
    }
    expect(access).toHaveBeenCalledTimes(4);
  });

  it.each(['22021', '23505', '42703', 'SQLITE_CONSTRAINT_FOREIGNKEY'])(
    'does not repeat a statement that is refused with %s',
    async code => {
      const access = vi.fn(async () => Promise.reject(refused(code)));
      await expect(untilStored(logger, never, access)).rejects.toThrow(code);
      expect(access).toHaveBeenCalledTimes(1);
    },
  );

  it('tries once more when it is aborted', async () => {
    const access = vi.fn(async () => Promise.reject(lost()));
    const abort = new AbortController();
    const ended = untilStored(logger, abort.signal, access);
    await sleep(10);
    expect(access).toHaveBeenCalledTimes(1);
    abort.abort();
    await expect(ended).rejects.toThrow('Connection terminated');
    expect(access).toHaveBeenCalledTimes(2);
  });
});
