import type { EventsPlan } from '../query/language/Expression.ts';
import { QueryTooHeavyError } from '../store/process/LazyProcess.ts';
import { eventPages } from './eventPages.ts';

const NOW = Date.parse('2026-11-21T10:00:00.000Z');

it('reads shorter pages if events are large, and each event once', async () => {
  const events = Array.from({ length: 9_999 }, (_, index) => [
    `uuid-${index}`,
    'opened',
    '{}',
    NOW,
    'ada',
    NOW,
  ]);
  const ask = async ({ select }: EventsPlan) => {
    const { limit = 1, offset = 0, columns } = select;
    if (columns.some(({ kind }) => kind === 'aggregate')) {
      return { rows: [[events.length, NOW, NOW]] };
    }
    if (limit > 3_000) {
      throw new QueryTooHeavyError();
    }
    return { rows: events.slice(offset, offset + limit + 1) };
  };
  const sizes: number[] = [];
  const read = new Set<string>();
  const scope = { projectId: 'shop', hidesPeople: false, now: NOW + 1 };
  for await (const page of eventPages(scope, ask)) {
    sizes.push(page.length);
    page.forEach(({ uuid }) => read.add(uuid));
  }
  expect(sizes).toEqual([2_500, 2_500, 2_500, 2_499]);
  expect(read.size).toBe(events.length);
});
