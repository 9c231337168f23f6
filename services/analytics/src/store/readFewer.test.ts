import { QueryTooHeavyError } from './process/LazyProcess.ts';
import { readFewer } from './readFewer.ts';

/** Returns a reader whose result is too large beyond a limit. */
const upTo = (most: number) => {
  const limits: number[] = [];
  const read = async (limit: number) => {
    limits.push(limit);
    if (limit > most) {
      throw new QueryTooHeavyError();
    }
    return limit;
  };
  return { limits, read };
};

it('reads half as much until the result is small enough', async () => {
  const { limits, read } = upTo(600);
  expect(await readFewer(2_500, read)).toEqual({ found: 313, limit: 313 });
  expect(limits).toEqual([2_500, 1_250, 625, 313]);
});

it('gives up at one row, and at other errors', async () => {
  await expect(readFewer(100, upTo(0).read)).rejects.toThrow(
    QueryTooHeavyError,
  );
  const failing = vi.fn(async () => {
    throw new Error('down');
  });
  await expect(readFewer(100, failing)).rejects.toThrow('down');
  expect(failing).toHaveBeenCalledOnce();
});
