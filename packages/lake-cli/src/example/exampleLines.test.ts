import { exampleLines } from './writeExample.ts';

const NOW = Date.parse('2026-11-21T12:00:00Z');

describe('exampleLines', () => {
  it('is the same for a seed, and another for another', () => {
    const lines = exampleLines({ seed: 'a', now: NOW });
    expect(exampleLines({ seed: 'a', now: NOW })).toEqual(lines);
    expect(exampleLines({ seed: 'b', now: NOW })).not.toEqual(lines);
  });

  it('tells tomorrow of today what it tells today', () => {
    const today = exampleLines({ seed: 'a', now: NOW });
    const tomorrow = new Set(
      exampleLines({ seed: 'a', now: NOW + 86_400_000 }),
    );
    const gone = today.filter(line => !tomorrow.has(line));
    // The oldest day has moved out of the window, nothing else.
    expect(gone.length).toBeLessThan(60);
    expect(gone.every(line => line.includes('2026-07-2'))).toBe(true);
  });

  it('holds failures of every sort, and nothing of the future', () => {
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
