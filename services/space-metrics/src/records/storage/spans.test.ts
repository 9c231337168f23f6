import { countDays, spanOf, spansOf } from './presence.ts';

it('finds exactly the days of a period in its spans', () => {
  const isWithin = (day: number, spans: ReturnType<typeof spansOf>) =>
    spans.some(
      ({ span, days }) =>
        span === spanOf(day).span && countDays(days & spanOf(day).days) === 1,
    );
  for (const [from, to] of [
    [20_000, 20_000],
    [20_001, 20_030],
    [19_995, 20_100],
    [31, 61],
  ]) {
    const spans = spansOf({ from, to });
    for (let day = from - 40; day < to + 40; day += 1) {
      expect(isWithin(Math.max(0, day), spans)).toBe(day >= from && day <= to);
    }
    const total = spans.reduce((sum, { days }) => sum + countDays(days), 0);
    expect(total).toBe(to - from + 1);
  }
});
