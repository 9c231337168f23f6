import { Backoff } from './PartSupervisor.ts';

const options = { firstMs: 1_000, maxMs: 5_000, stableMs: 60_000 };

describe('Backoff', () => {
  it('doubles the wait up to the limit', () => {
    const backoff = new Backoff(options);

    expect([10, 10, 10, 10, 10].map(ranMs => backoff.next(ranMs))).toEqual([
      1_000, 2_000, 4_000, 5_000, 5_000,
    ]);
  });

  it('starts over after a stable run', () => {
    const backoff = new Backoff(options);
    backoff.next(10);
    backoff.next(10);

    expect(backoff.next(60_000)).toBe(1_000);
    expect(backoff.next(59_999)).toBe(2_000);
  });
});
