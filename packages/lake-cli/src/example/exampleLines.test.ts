import { exampleLines } from './writeExample.ts';

const NOW = Date.parse('2026-11-21T12:00:00Z');

describe('exampleLines', () => {
  it('depends only on the seed', () => {
    const lines = exampleLines({ seed: 'a', now: NOW });
    expect(exampleLines({ seed: 'a', now: NOW })).toEqual(lines);
    expect(exampleLines({ seed: 'b', now: NOW })).not.toEqual(lines);
  });

  it('generates the same items for today tomorrow', () => {
    const today = exampleLines({ seed: 'a', now: NOW });
    const tomorrow = new Set(
      exampleLines({ seed: 'a', now: NOW + 86_400_000 }),
    );
    const gone = today.filter(line => !tomorrow.has(line));
    // Only the oldest day is no longer in the window.
    expect(gone.length).toBeLessThan(60);
    expect(gone.every(line => line.includes('2026-07-2'))).toBe(true);
  });

  it('contains all kinds of failures, and nothing in the future', () => {
    const items = exampleLines({ seed: 'slipway', now: NOW }).map(line =>
      JSON.parse(line),
    );
    const some = (test: (item: Record<string, unknown>) => unknown) =>
      items.filter(test).length;
    expect(some(item => item.rollbackOf)).toBeGreaterThan(5);
    expect(
      some(item => item.kind === 'incident' && item.deployment),
    ).toBeGreaterThan(10);
    expect(
      some(item => item.kind === 'incident' && !item.deployment),
    ).toBeGreaterThan(10);
    expect(some(item => item.status === 'FAILURE')).toBeGreaterThan(5);
    expect(some(item => item.source !== 'demo')).toBe(0);
    const latest = items
      .flatMap(item => [item.finishedAt, item.resolvedAt, item.landedAt])
      .filter(Boolean)
      .sort()
      .at(-1);
    expect(Date.parse(latest)).toBeLessThan(NOW);
  });
});
