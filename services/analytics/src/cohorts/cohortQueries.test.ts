import { allEngines } from '../__testUtils__/startAnalytics.ts';
import {
  did,
  filtersOf,
  inCohort,
  startCohorts,
} from './__testUtils__/startCohorts.ts';

const NOW = Date.parse('2026-11-21T10:00:00.000Z');
const PRO = { type: 'person', key: 'plan', value: 'pro', operator: 'exact' };

describe.each(allEngines)('cohorts in queries on %s', engine => {
  let suite: Awaited<ReturnType<typeof startCohorts>>;

  /** Returns the people that filters select, among those with events. */
  const peopleIn = async (...properties: object[]): Promise<string[]> =>
    (
      await suite.results({
        kind: 'HogQLQuery',
        query: 'select distinct person_id from events where {filters}',
        filters: { properties },
      })
    )
      .flat()
      .sort();

  /** Returns the ids of the cohorts that a person is in. */
  const cohortsOf = async (person: string): Promise<number[]> => {
    const { status, body } = await suite.ask(
      'GET',
      `persons/${person}/cohorts`,
    );
    expect([status, body.detail]).toEqual([200, undefined]);
    return body.cohorts.map((each: { id: number }) => each.id);
  };

  beforeAll(async () => {
    suite = await startCohorts({ engine, now: () => NOW });
    const event = (
      name: string,
      user: string,
      day: number,
      properties: object = {},
    ) => ({
      event: name,
      distinct_id: user,
      timestamp: `2026-11-${String(day).padStart(2, '0')}T09:00:00Z`,
      properties,
    });
    await suite.client.batch([
      event('opened', 'device-1', 18),
      event('$identify', 'ada', 19, {
        $anon_distinct_id: 'device-1',
        $set: { email: 'ada@example.com', plan: 'pro' },
      }),
      event('bought', 'ada', 19),
      event('bought', 'device-1', 20),
      event('bought', 'grace', 20, { $set: { plan: 'free' } }),
      event('opened', 'lin', 2, { $set: { plan: 'pro' } }),
      event('bought', 'lin', 2),
      event('opened', 'visitor', 20, { $process_person_profile: false }),
    ]);
  });

  afterAll(() => suite.stop());

  it.each<[string, object[], string, string[]]>([
    ['a property', [PRO], 'AND', ['ada', 'lin']],
    [
      'the lack of a property',
      [{ ...PRO, negation: true }],
      'AND',
      ['grace', 'visitor'],
    ],
    ['an event', [did('bought', { time_value: 7 })], 'AND', ['ada', 'grace']],
    [
      'an event of the first day of the period',
      [did('opened', { time_value: 3 })],
      'AND',
      ['ada', 'visitor'],
    ],
    [
      'an event in weeks',
      [did('bought', { time_value: 3, time_interval: 'week' })],
      'AND',
      ['ada', 'grace', 'lin'],
    ],
    [
      'an event at any time',
      [did('bought', { time_value: 3_650, time_interval: 'month' })],
      'AND',
      ['ada', 'grace', 'lin'],
    ],
    [
      'the lack of an event',
      [did('bought', { time_value: 7, negation: true })],
      'AND',
      ['lin', 'visitor'],
    ],
    [
      'at least two events',
      [
        did('bought', {
          value: 'performed_event_multiple',
          operator: 'gte',
          operator_value: 2,
        }),
      ],
      'AND',
      ['ada'],
    ],
    [
      'at most one event, or none',
      [
        did('bought', {
          value: 'performed_event_multiple',
          operator: 'lte',
          operator_value: 1,
        }),
      ],
      'AND',
      ['grace', 'lin', 'visitor'],
    ],
    ['all conditions', [PRO, did('bought', { time_value: 7 })], 'AND', ['ada']],
    [
      'any condition',
      [PRO, did('bought', { time_value: 7 })],
      'OR',
      ['ada', 'grace', 'lin'],
    ],
  ])('have people by %s', async (_name, values, type, people) => {
    const id = await suite.create({ filters: filtersOf(values, type) });
    expect(await peopleIn(inCohort(id))).toEqual(people);
    const others = ['ada', 'grace', 'lin', 'visitor'].filter(
      each => !people.includes(each),
    );
    expect(await peopleIn(inCohort(id, 'not_in'))).toEqual(others);
    // People are listed by the id that represents them, regardless of how many ids they have.
    const { body } = await suite.ask('GET', `cohorts/${id}/persons`);
    expect(body).toMatchObject({ count: people.length, has_more: false });
    expect(body.persons.map((each: { id: string }) => each.id).sort()).toEqual(
      people,
    );
    // The visitor has no profile.
    for (const person of ['ada', 'device-1', 'grace', 'lin']) {
      const isIn = (await cohortsOf(person)).includes(id);
      const name = person === 'device-1' ? 'ada' : person;
      expect([person, isIn]).toEqual([person, people.includes(name)]);
    }
  });

  it('are listed for a person, by name, with conditions or as fixed lists', async () => {
    const made = [
      { name: 'B', distinct_ids: ['device-1', 'ada', 'lin'] },
      { name: 'a', filters: filtersOf([did('bought')]) },
      { name: 'C', distinct_ids: ['grace'] },
    ];
    const ids: number[] = [];
    for (const payload of made) {
      ids.push(await suite.create(payload));
    }
    const { status, body } = await suite.ask('GET', 'persons/ada/cohorts', {
      as: 'token',
    });
    expect(status).toBe(200);
    expect(
      body.cohorts.filter((each: { id: number }) => ids.includes(each.id)),
    ).toEqual([
      { id: ids[0], name: 'B', is_static: true },
      { id: ids[1], name: 'a', is_static: false },
    ]);
    for (const [as, expected] of [
      ['nobody', 401],
      ['joan', 403],
    ] as const) {
      const answer = await suite.ask('GET', 'persons/ada/cohorts', { as });
      expect(answer.status).toBe(expected);
    }
    const missing = await suite.ask('GET', 'persons/visitor/cohorts');
    expect(missing.status).toBe(404);
    const project = 'counted';
    const hidden = await suite.ask('GET', 'persons/ada/cohorts', { project });
    expect(hidden.status).toBe(403);
  });

  it('are listed for a person even with more conditions than one query evaluates', async () => {
    const ids: number[] = [];
    for (let cohort = 0; cohort < 25; cohort += 1) {
      const conditions = Array.from({ length: 20 }, (_, index) =>
        did(index === 0 ? 'bought' : `event ${cohort} ${index}`),
      );
      ids.push(await suite.create({ filters: filtersOf(conditions, 'OR') }));
    }
    expect(await cohortsOf('ada')).toEqual(expect.arrayContaining(ids));
    expect(await cohortsOf('lin')).toEqual(expect.arrayContaining(ids));
    for (const id of ids) {
      await suite.ask('DELETE', `cohorts/${id}`);
    }
  });

  it('are refused in HogQL if they are too large for the engine together', async () => {
    const conditions = Array.from({ length: 20 }, (_, n) => did(`event ${n}`));
    const id = await suite.create({ filters: filtersOf(conditions, 'OR') });
    const isIn = Array.from({ length: 40 }, () => `person_id IN COHORT ${id}`);
    const query = `SELECT count() FROM events WHERE ${isIn.join(' OR ')}`;
    const { status, body } = await suite.ask('POST', 'query', {
      payload: { query: { kind: 'HogQLQuery', query } },
    });
    // SQLite has no limit that this query reaches.
    expect([status, body.attr ?? body.results]).toEqual(
      engine === 'sqlite' ? [200, [[0]]] : [400, 'query'],
    );
    await suite.ask('DELETE', `cohorts/${id}`);
  });

  it('are conditions in HogQL', async () => {
    const rule = await suite.create({ filters: filtersOf([PRO]) });
    const list = await suite.create({ distinct_ids: ['device-1', 'visitor'] });
    const ask = (query: string) => suite.results({ kind: 'HogQLQuery', query });
    const from = 'FROM events WHERE event';
    expect(
      await ask(
        `SELECT person_id IN COHORT ${rule} AS pro, count() ${from} = 'bought' GROUP BY pro ORDER BY pro`,
      ),
    ).toEqual([
      [false, 1],
      [true, 3],
    ]);
    expect(
      await ask(
        `SELECT DISTINCT person_id ${from} = 'opened' AND person_id NOT IN COHORT ${rule} AND events.person_id in cohort ${list}`,
      ),
    ).toEqual([['visitor']]);
    const events = { kind: 'EventsQuery', after: 'all', select: ['count()'] };
    expect(
      await suite.results({
        ...events,
        where: ["event = 'bought'", `person_id IN COHORT ${list}`],
      }),
    ).toEqual([[2]]);
    const series = [{ kind: 'EventsNode', event: 'bought' }];
    const trends = { kind: 'TrendsQuery', dateRange: { date_from: 'all' } };
    const [line] = await suite.results({
      ...trends,
      series: [
        {
          ...series[0],
          math: 'hogql',
          math_hogql: `countIf(person_id IN COHORT ${rule})`,
        },
      ],
    });
    expect(line.count).toBe(3);
    const insight = await suite.ask('POST', 'insights', {
      payload: {
        name: 'In SQL',
        query: {
          kind: 'HogQLQuery',
          query: `SELECT 1 FROM events WHERE person_id in\ncohort ${rule}`,
        },
      },
    });
    expect((await suite.ask('DELETE', `cohorts/${rule}`)).status).toBe(409);
    await suite.ask('DELETE', `insights/${insight.body.id}`);
    for (const where of [
      'person_id IN COHORT 999999',
      "person_id IN COHORT 'Customers'",
      `distinct_id IN COHORT ${rule}`,
    ]) {
      const { status, body } = await suite.ask('POST', 'query', {
        payload: { query: { ...events, where: [where] } },
      });
      expect([status, body.attr]).toEqual([400, 'query.where.0']);
    }
  });

  it('filter every kind of insight, also single series and steps', async () => {
    const id = await suite.create({ filters: filtersOf([PRO]) });
    const node = { kind: 'EventsNode', event: 'bought' };
    const dateRange = { date_from: '-7d' };
    const trends = { kind: 'TrendsQuery', dateRange };
    const counts = async (query: object) =>
      (await suite.results(query)).map((each: { count: number }) => each.count);
    expect(
      await counts({ ...trends, series: [node], properties: [inCohort(id)] }),
    ).toEqual([2]);
    const among = { ...node, properties: [inCohort(id, 'not_in')] };
    expect(await counts({ ...trends, series: [node, among] })).toEqual([3, 1]);
    const steps = [{ ...node, event: 'opened' }, node];
    const query = { dateRange, series: steps, properties: [inCohort(id)] };
    expect(await counts({ kind: 'FunnelsQuery', ...query })).toEqual([1, 1]);
    for (const kind of ['LifecycleQuery', 'StickinessQuery']) {
      const results = await suite.results({
        kind,
        dateRange,
        series: [node],
        properties: [inCohort(id)],
      });
      expect(results.length).toBeGreaterThan(0);
    }
    for (const kind of ['RetentionQuery', 'PathsQuery', 'WebOverviewQuery']) {
      const asked = { kind, dateRange, properties: [inCohort(id)] };
      expect(await suite.results(asked)).toBeInstanceOf(Array);
    }
    const actors = {
      kind: 'ActorsQuery',
      select: ['id'],
      source: {
        kind: 'InsightActorsQuery',
        source: { ...trends, series: [among] },
      },
    };
    expect(await suite.results(actors)).toEqual([['grace']]);
  });

  it('break down trends, funnels and retention, with everybody else', async () => {
    const id = await suite.create({
      name: 'Pro',
      filters: filtersOf([PRO]),
    });
    const dateRange = { date_from: '-7d' };
    const breakdownFilter = {
      breakdown_type: 'cohort',
      breakdown: [id, 'others', 'all'],
    };
    const series = ['opened', 'bought'].map(event => ({
      kind: 'EventsNode',
      event,
    }));
    const named = (lines: Record<string, unknown>[], count = 'count') =>
      lines.map(each => [each.label, each.breakdown_value, each[count]]);
    const trends = { kind: 'TrendsQuery', dateRange, breakdownFilter };
    expect(
      named(await suite.results({ ...trends, series: series.slice(1) })),
    ).toEqual([
      ['Pro', id, 2],
      ['All other users', 'others', 1],
      ['All users', 'all', 3],
    ]);
    expect(named(await suite.results({ ...trends, series }))).toEqual([
      ['opened - Pro', id, 1],
      ['bought - Pro', id, 2],
      ['opened - All other users', 'others', 1],
      ['bought - All other users', 'others', 1],
      ['opened - All users', 'all', 2],
      ['bought - All users', 'all', 3],
    ]);
    const trendsFilter = { formula: 'B - A', display: 'BoldNumber' };
    const formula = await suite.results({ ...trends, series, trendsFilter });
    expect(named(formula, 'aggregated_value')).toEqual([
      ['Pro', id, 1],
      ['All other users', 'others', 0],
      ['All users', 'all', 1],
    ]);
    const funnel = { kind: 'FunnelsQuery', dateRange, series, breakdownFilter };
    expect(
      (await suite.results(funnel)).map((steps: Record<string, unknown>[]) =>
        steps.map(step => [step.breakdown, step.breakdown_value, step.count]),
      ),
    ).toEqual([
      [
        ['Pro', id, 1],
        ['Pro', id, 1],
      ],
      [
        ['All other users', 'others', 1],
        ['All other users', 'others', 0],
      ],
      [
        ['All users', 'all', 2],
        ['All users', 'all', 1],
      ],
    ]);
    const funnelsFilter = { funnelVizType: 'trends' };
    expect(
      (await suite.results({ ...funnel, funnelsFilter })).map(
        (line: Record<string, unknown>) => line.breakdown_value,
      ),
    ).toEqual(['Pro', 'All other users', 'All users']);
    const retention: {
      breakdown_value: string;
      values: { count: number }[];
    }[] = await suite.results({
      kind: 'RetentionQuery',
      breakdownFilter: { breakdown_type: 'cohort', breakdown: id },
      retentionFilter: {
        totalIntervals: 4,
        targetEntity: { id: 'opened' },
        returningEntity: { id: 'bought' },
      },
    });
    expect(
      retention.map(({ breakdown_value: value, values }) => [
        value,
        ...values.map(({ count }) => count),
      ]),
    ).toEqual([
      [String(id), 1, 1, 1, 0],
      [String(id), 0, 0, 0],
      [String(id), 0, 0],
      [String(id), 0],
    ]);
  });

  it('may be fixed lists, whose people are those of a number or of ids', async () => {
    const source = {
      kind: 'InsightActorsQuery',
      source: {
        kind: 'TrendsQuery',
        series: [{ kind: 'EventsNode', event: 'bought' }],
        dateRange: { date_from: '-7d' },
      },
    };
    const ofQuery = await suite.create({
      is_static: true,
      query: { kind: 'ActorsQuery', source },
    });
    expect(await peopleIn(inCohort(ofQuery))).toEqual(['ada', 'grace']);
    const ids = ['device-1', 'ada', "o'neil \\ ü", 'visitor'];
    const ofIds = await suite.create({ distinct_ids: ids });
    expect(await peopleIn(inCohort(ofIds))).toEqual(['ada', 'visitor']);
    expect(await peopleIn(inCohort(ofIds), inCohort(ofQuery))).toEqual(['ada']);
    expect(
      await peopleIn(inCohort(ofIds, 'not_in'), inCohort(ofIds, 'not_in')),
    ).toEqual(['grace', 'lin']);
    // The query with which PostHog clients list the people of a cohort.
    const people = {
      kind: 'ActorsQuery',
      select: ['id', 'event_count'],
      properties: [inCohort(ofIds)],
    };
    expect(await suite.results(people)).toEqual([
      ['ada', 4],
      ['visitor', 1],
    ]);
    expect(await suite.results({ ...people, search: 'VIS' })).toEqual([
      ['visitor', 1],
    ]);
  });

  it('may be long lists, used more than once', async () => {
    const ids = Array.from({ length: 9_999 }, (_, index) => `user-${index}-é`);
    const id = await suite.create({ distinct_ids: [...ids, 'grace'] });
    const node = { kind: 'EventsNode', properties: [inCohort(id)] };
    const series = Array.from({ length: 20 }, () => node);
    const results = await suite.results({ kind: 'TrendsQuery', series });
    expect(results.map(({ count }: { count: number }) => count)).toEqual(
      series.map(() => 1),
    );
  });

  it('follow a merge, and count merged people once', async () => {
    const id = await suite.create({ distinct_ids: ['phone', 'tablet'] });
    const sent = (event: string, user: string, properties: object = {}) => ({
      event,
      distinct_id: user,
      timestamp: '2026-11-20T09:00:00Z',
      properties,
    });
    await suite.client.batch([sent('seen', 'phone'), sent('seen', 'tablet')]);
    expect(await peopleIn(inCohort(id))).toEqual(['phone', 'tablet']);
    await suite.client.batch([
      sent('$identify', 'zoe', { $anon_distinct_id: 'phone' }),
      sent('$identify', 'zoe', { $anon_distinct_id: 'tablet' }),
    ]);
    expect(await peopleIn(inCohort(id))).toHaveLength(1);
    const { body } = await suite.ask('GET', `cohorts/${id}/persons`);
    expect(body.count).toBe(1);
  });

  it('change results that are cached', async () => {
    const id = await suite.create({ filters: filtersOf([did('bought')]) });
    const query = {
      kind: 'TrendsQuery',
      series: [{ kind: 'EventsNode', event: 'bought' }],
      dateRange: { date_from: '-7d' },
      properties: [inCohort(id)],
    };
    const breakdownFilter = { breakdown_type: 'cohort', breakdown: [id] };
    const byCohort = { ...query, properties: [], breakdownFilter };
    const lines = async () =>
      Promise.all(
        [query, byCohort].map(async each => {
          const [line] = await suite.results(each, { refresh: 'lazy_async' });
          return [line.label, line.count];
        }),
      );
    expect(await lines()).toEqual([
      ['bought', 3],
      ['Customers', 3],
    ]);
    const filters = filtersOf([did('bought'), PRO]);
    const changed = { payload: { filters, name: 'Pro customers' } };
    await suite.ask('PATCH', `cohorts/${id}`, changed);
    expect(await lines()).toEqual([
      ['bought', 2],
      ['Pro customers', 2],
    ]);
  });

  it('are combined with the filters of test accounts', async () => {
    const id = await suite.create({ filters: filtersOf([did('bought')]) });
    const { status } = await suite.ask('PATCH', '', {
      as: 'ada',
      payload: {
        test_account_filters: [
          {
            key: 'email',
            type: 'person',
            operator: 'not_icontains',
            value: '@example.com',
          },
        ],
      },
    });
    expect(status).toBe(200);
    const query = {
      kind: 'TrendsQuery',
      series: [{ kind: 'EventsNode', event: 'bought', math: 'dau' }],
      dateRange: { date_from: '2026-11-20', date_to: '2026-11-20' },
      properties: [inCohort(id)],
    };
    const people = async (filterTestAccounts: boolean) =>
      (await suite.results({ ...query, filterTestAccounts }))[0].count;
    expect(await people(false)).toBe(2);
    expect(await people(true)).toBe(1);
  });

  it('can be filters of test accounts, as defined at the time of a query', async () => {
    const filters = filtersOf([PRO]);
    const id = await suite.create({ filters });
    const payload = { test_account_filters: [inCohort(id, 'not_in')] };
    const set = await suite.ask('PATCH', '', { as: 'ada', payload });
    expect(set.status).toBe(200);
    const source = {
      kind: 'TrendsQuery',
      series: [{ kind: 'EventsNode', event: 'bought' }],
      dateRange: { date_from: '-7d' },
      filterTestAccounts: true,
    };
    const actors = {
      kind: 'ActorsQuery',
      select: ['id'],
      source: { kind: 'InsightActorsQuery', source },
    };
    const refresh = 'lazy_async';
    expect((await suite.results(source, { refresh }))[0].count).toBe(1);
    expect(await suite.results(actors)).toEqual([['grace']]);
    const hogql = {
      kind: 'HogQLQuery',
      query: "select count() from events where {filters} and event = 'bought'",
      filters: { filterTestAccounts: true },
    };
    expect(await suite.results(hogql)).toEqual([[1]]);
    const list = filtersOf([{ ...PRO, value: 'free' }]);
    const changed = { as: 'ada', payload: { filters: list } };
    await suite.ask('PATCH', `cohorts/${id}`, changed);
    // The cached result is not used, because it is for the cohort before the change.
    expect((await suite.results(source, { refresh }))[0].count).toBe(2);
    const none = { as: 'ada', payload: { test_account_filters: [] } };
    await suite.ask('PATCH', '', none);
  });
});
