import { isOneOfPeople } from '../../cohorts/cohortCondition.ts';
import type { InsightContext } from '../QueryContext.ts';
import type { Query } from '../schemas.ts';
import { UTC } from '../time/zones.ts';
import { answerByCohort } from './cohortBreakdown.ts';

const CONTEXT: InsightContext = {
  projectId: 'shop',
  now: 0,
  calendar: UTC,
  cohorts: id => ({
    name: `Cohort ${id}`,
    condition: isOneOfPeople([`user-${id}`]),
  }),
  ask: () => Promise.reject(new Error('not needed')),
  assertShown: () => undefined,
};
const TRENDS: Query = {
  kind: 'TrendsQuery',
  series: [{ kind: 'EventsNode' }],
  breakdownFilter: { breakdown_type: 'cohort', breakdown: [1, 2, 3, 4, 5] },
};

/** Returns a fake that responds after a turn of the event loop, and counts concurrent queries. */
function counting() {
  const seen = { running: 0, most: 0, asked: [] as Query[] };
  const answer = async (query: Query) => {
    seen.asked.push(query);
    seen.running += 1;
    seen.most = Math.max(seen.most, seen.running);
    await new Promise(resolve => {
      setImmediate(resolve);
    });
    seen.running -= 1;
    return { results: [{ label: 'All events', action: { order: 0 } }] };
  };
  return { seen, answer };
}

describe('answerByCohort', () => {
  afterEach(() => vi.restoreAllMocks());

  it.each([
    ['two cohorts', 1, 2],
    ['one cohort, whose series are queried together,', 2, 1],
  ])('computes %s at a time, in order', async (_name, series, most) => {
    const { seen, answer } = counting();
    const query = {
      ...TRENDS,
      series: Array.from({ length: series }, () => TRENDS.series![0]),
    };
    const { results } = await answerByCohort(query, CONTEXT, answer);
    expect(results.map(line => (line as { label: string }).label)).toEqual(
      [1, 2, 3, 4, 5].map(id => `Cohort ${id}`),
    );
    expect(seen.most).toBe(most);
  });

  it('begins no further cohort once callers no longer wait', async () => {
    const { seen, answer } = counting();
    let now = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => now);
    await expect(
      answerByCohort(TRENDS, CONTEXT, query => {
        now += 10_001;
        return answer(query);
      }),
    ).rejects.toMatchObject({
      fault: {
        field: 'query.breakdownFilter.breakdown',
        constraint: 'cost',
      },
    });
    expect(seen.asked).toHaveLength(2);
  });

  it('leaves other fields of the breakdown to be checked', async () => {
    const { seen, answer } = counting();
    const breakdownFilter = {
      ...TRENDS.breakdownFilter,
      breakdown_histogram_bin_count: 5,
    };
    await answerByCohort({ ...TRENDS, breakdownFilter }, CONTEXT, answer);
    expect(seen.asked[0].breakdownFilter).toEqual({
      breakdown_histogram_bin_count: 5,
    });
  });

  it('names the place of a wrong cohort after an empty one', async () => {
    const breakdown = ['', 1, 1];
    const breakdownFilter = { ...TRENDS.breakdownFilter, breakdown };
    await expect(
      answerByCohort(
        { ...TRENDS, breakdownFilter },
        CONTEXT,
        counting().answer,
      ),
    ).rejects.toMatchObject({
      fault: { field: 'query.breakdownFilter.breakdown.2' },
    });
  });
});
