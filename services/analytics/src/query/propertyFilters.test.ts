import { analyticsSuite, event } from '../__testUtils__/analyticsSuite.ts';
import { allEngines } from '../__testUtils__/startAnalytics.ts';

/** Filters, with the users whose properties match them. */
const CASES: [Record<string, unknown>, string[]][] = [
  [{ key: 'plan', value: 'Pro' }, ['ada']],
  [{ key: 'plan', value: 'pro', operator: 'exact', type: 'event' }, []],
  [{ key: 'plan', value: ['Pro', 'free'] }, ['ada', 'grace']],
  [{ key: 'seats', value: 3 }, ['ada', 'linus']],
  [{ key: 'trial', value: false }, ['ada']],
  [{ key: 'a b', value: "it's" }, ['ada']],
  [{ key: "x' OR 1=1 --", value: "' OR 1=1 --" }, []],
  [{ key: 'plan', value: 'Pro', operator: 'is_not' }, ['grace', 'linus']],
  [{ key: 'plan', value: ['Pro', 'free'], operator: 'is_not' }, ['linus']],
  [{ key: 'plan', value: 'PR', operator: 'icontains' }, ['ada']],
  [{ key: 'note', value: '%_\\', operator: 'icontains' }, ['grace']],
  [{ key: 'plan', value: '_', operator: 'icontains' }, []],
  [{ key: 'plan', value: 'pr', operator: 'not_icontains' }, ['grace', 'linus']],
  [{ key: 'plan', operator: 'is_set' }, ['ada', 'grace']],
  [{ key: 'plan', operator: 'is_not_set', value: null }, ['linus']],
  [{ key: 'seats', value: 3, operator: 'gt' }, ['grace']],
  [{ key: 'seats', value: '12.5', operator: 'lt' }, ['ada']],
  [{ key: 'seats', value: 3, operator: 'gte' }, ['ada', 'grace']],
  [{ key: 'seats', value: [3, 5], operator: 'between' }, ['ada']],
  [
    { key: 'seats', value: [3, '5'], operator: 'not_between' },
    ['grace', 'linus'],
  ],
  [
    { key: 'plan', value: 'Pro', operator: null, group_type_index: null },
    ['ada'],
  ],
  [{ key: 'plan', value: '^[A-Z]', operator: 'regex' }, ['ada']],
  [{ key: 'plan', value: '^[A-Z]', operator: 'not_regex' }, ['grace', 'linus']],
  [{ key: 'properties.seats > 3', type: 'hogql' }, ['grace']],
  [{ key: 'distinct_id', value: 'ada', type: 'event_metadata' }, ['ada']],
];

describe.each(allEngines)('filters of properties on %s', engine => {
  const suite = analyticsSuite(engine, 'block');

  const people: Record<string, object> = {
    ada: { plan: 'Pro', seats: 3, 'a b': "it's", trial: false },
    grace: { plan: 'free', seats: 12.5, note: '100%_\\' },
    linus: { seats: '3', plan: null },
  };

  beforeAll(async () => {
    await suite.client.batch(
      Object.entries(people).map(([distinct_id, properties]) => ({
        ...event,
        distinct_id,
        properties: { ...properties, $set: properties },
      })),
    );
  });

  it.each(CASES)('finds by %j', async (filter, expected) => {
    const { status, body } = await suite.client.query({
      select: ['distinct_id'],
      properties: [filter],
    });
    expect(status).toBe(200);
    expect(body.results.flat()).toEqual(expected);
  });

  it('must all match, in addition to other conditions', async () => {
    const { body } = await suite.client.query({
      select: ['count()'],
      where: ["distinct_id != 'ada'"],
      properties: [
        { key: 'seats', operator: 'is_set' },
        { key: 'plan', operator: 'is_not_set' },
      ],
    });
    expect(body.results).toEqual([[1]]);
  });

  it.each([
    [{ key: 'plan', value: 'x', type: 'recording' }, 'type', 'event'],
    [{ key: 'plan', value: 1, type: 'cohort' }, 'key', 'must be id'],
    [{ key: 'id', value: 'x', type: 'cohort' }, 'value', 'not a cohort'],
    [{ key: 'id', value: [1, 2], type: 'cohort' }, 'value', 'one cohort'],
    [{ key: 'id', value: 1, type: 'cohort', operator: 'gt' }, 'operator', 'in'],
    [{ key: 'plan', value: 'x', operator: 'semver_gt' }, 'operator', 'exact'],
    [{ key: 'plan', value: 'x', operator: 'between' }, 'value', 'two numbers'],
    [{ key: 'plan', value: '(a+)+', operator: 'regex' }, 'value', 'repeats'],
    [{ key: 'drop table', value: 1, type: 'hogql' }, 'key', 'drop'],
    [{ value: 'x' }, 'key', 'required'],
    [{ key: 'plan' }, 'value', 'required'],
    [{ key: 'plan', value: [] }, 'value', ''],
    [{ key: 'plan', value: { a: 1 } }, 'value', ''],
    [{ key: 'seats', value: 'many', operator: 'gt' }, 'value', 'one number'],
    [
      { key: 'at', value: ['-1d', '-2d'], operator: 'is_date_after' },
      'value',
      'one date',
    ],
  ])('refuses %j for its %s', async (filter, name, wording) => {
    const { status, body } = await suite.client.query({ properties: [filter] });
    expect([status, body.attr]).toEqual([400, `query.properties.0.${name}`]);
    expect(body.detail).toContain(wording);
  });

  it('apply to fixed and unfixed queries', async () => {
    const { body } = await suite.client.query({
      select: ['distinct_id'],
      properties: [{ key: 'seats', value: 3 }],
      fixedProperties: [{ key: 'plan', operator: 'is_set' }],
    });
    expect(body.results).toEqual([['ada']]);
    const wrong = await suite.client.query({ fixedProperties: [{ value: 1 }] });
    expect(wrong.body.attr).toBe('query.fixedProperties.0.key');
  });

  it('are evaluated in groups', async () => {
    const ask = async (properties: object) => {
      const { body } = await suite.client.query({
        select: ['distinct_id'],
        properties,
      });
      return body.results?.flat() ?? body.attr;
    };
    const is = (key: string, value: unknown) => ({ key, value });
    expect(await ask({ type: 'AND', values: [] })).toHaveLength(3);
    expect(
      await ask({
        type: 'OR',
        values: [
          is('plan', 'free'),
          { type: 'AND', values: [is('plan', 'Pro'), is('seats', 3)] },
        ],
      }),
    ).toEqual(['ada', 'grace']);
    expect(await ask({ type: 'AND', values: [is('plan', {})] })).toBe(
      'query.properties.values.0.value',
    );
    expect(await ask({ type: 'XOR', values: [] })).toBe(
      'query.properties.type',
    );
  });

  it('find people by their own properties, including people without a profile', async () => {
    const visitor = {
      ...event,
      distinct_id: 'visitor',
      properties: { $process_person_profile: false },
    };
    await suite.client.batch([visitor]);
    const isOfAbsent = /^(is_not|not_)/;
    const byOperator = new Map(
      CASES.filter(([{ type }]) => type === undefined).map(each => [
        each[0].operator,
        each,
      ]),
    );
    for (const [operator, [filter, expected]] of byOperator) {
      const { body } = await suite.client.query({
        select: ['distinct_id'],
        properties: [{ ...filter, type: 'person' }],
      });
      const isFound = isOfAbsent.test(String(operator));
      const all = isFound ? [...expected, 'visitor'] : expected;
      expect([filter, body.results.flat().sort()]).toEqual([filter, all]);
    }
    // Groups with conditions on people only, and one with a condition on events.
    const type = 'person';
    const isFree = { key: 'plan', value: 'free', type };
    const hasNoPlan = { key: 'plan', operator: 'is_not_set', type };
    const isOther = { key: 'seats', operator: 'is_not', value: 3, type };
    const isPro = { key: 'plan', value: 'Pro' };
    const allOf = (...values: object[]) => ({ type: 'AND', values });
    const anyOf = (...values: object[]) => ({ type: 'OR', values });
    for (const [properties, expected] of [
      [anyOf(isFree, hasNoPlan), ['grace', 'linus', 'visitor']],
      [allOf(anyOf(isFree, hasNoPlan), isOther), ['grace', 'visitor']],
      [anyOf(isPro, allOf(hasNoPlan, isOther)), ['ada', 'visitor']],
      [allOf(isOther, anyOf(isPro, isFree)), ['grace']],
    ]) {
      const select = ['distinct_id'];
      const { body } = await suite.client.query({ select, properties });
      expect(body.results.flat().sort()).toEqual(expected);
    }
  });
});
