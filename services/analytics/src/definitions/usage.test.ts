import { countUses } from './usage.ts';

const uses = (names: readonly string[], ...queries: object[]) =>
  Object.fromEntries(countUses(names, queries));

describe('countUses', () => {
  it('ignores the words of a breakdown by cohorts', () => {
    const breakdownFilter = { breakdown_type: 'cohort', breakdown: [7, 'all'] };
    expect(uses(['all'], { breakdownFilter })).toEqual({ all: 0 });
  });

  it('finds the names of fields, and those in expressions', () => {
    const sql = {
      kind: 'HogQLQuery',
      query:
        "SELECT properties.$browser, properties['utm source'] FROM events WHERE event IN ('signed up', 'it''s', 'a\\'b')",
    };
    const trend = {
      series: [{ event: 'bought', math_hogql: 'sum(properties.price)' }],
      breakdownFilter: { breakdown: 'plan' },
      properties: [{ type: 'hogql', key: 'properties.plan = 1' }],
    };
    expect(
      uses(
        [
          '$browser',
          'utm source',
          'signed up',
          "it's",
          "a'b",
          'bought',
          'price',
          'plan',
          'other',
        ],
        sql,
        trend,
        trend,
      ),
    ).toEqual({
      $browser: 1,
      'utm source': 1,
      'signed up': 1,
      "it's": 1,
      "a'b": 1,
      bought: 2,
      price: 2,
      plan: 2,
      other: 0,
    });
  });

  it('does not take a part of another name for a name', () => {
    const query = {
      query: "SELECT count() FROM events WHERE event = 'opened again'",
    };
    expect(uses(['open', 'opened', 'again', 'vent'], query)).toEqual({
      open: 0,
      opened: 0,
      again: 0,
      vent: 0,
    });
  });
});
