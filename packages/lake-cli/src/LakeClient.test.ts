import { retryDelay } from './LakeClient.ts';

const middle = { random: () => 0.5, now: Date.parse('2026-01-01T00:00:00Z') };

describe('retryDelay', () => {
  it('doubles up to half a minute', () => {
    const delays = [1, 2, 3, 9].map(attempt =>
      retryDelay({ attempt, retryAfter: null, ...middle }),
    );
    expect(delays).toEqual([500, 1_000, 2_000, 30_000]);
  });

  it("follows the server's Retry-After, within limits", () => {
    const asked = (retryAfter: string) =>
      retryDelay({ attempt: 1, retryAfter, ...middle });
    expect(asked('7')).toBe(7_000);
    expect(asked('Thu, 01 Jan 2026 00:00:09 GMT')).toBe(9_000);
    expect(asked('86400')).toBe(120_000);
    expect(asked('soon')).toBe(500);
  });
});
