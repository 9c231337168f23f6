import type { Database } from '@slipway/service-kit';
import {
  openTestDatabase,
  testDatabaseClients,
} from '@slipway/service-kit/testing';
import { defineAnalytics } from '../service.ts';
import {
  did,
  filtersOf,
  inCohort,
  startCohorts,
} from './__testUtils__/startCohorts.ts';

const PRO = { type: 'person', key: 'plan', value: 'pro', operator: 'exact' };

describe.each(testDatabaseClients())('cohorts in %s', client => {
  let suite: Awaited<ReturnType<typeof startCohorts>>;
  let database: Database;
  let dispose: () => Promise<void>;

  beforeAll(async () => {
    const opened = await openTestDatabase(client, defineAnalytics());
    ({ database, dispose } = opened);
    suite = await startCohorts({ database });
  });

  afterAll(async () => {
    await suite.stop();
    await dispose();
  });

  it('are saved, read by others, changed by their authors and by admins', async () => {
    const payload = {
      name: ' Customers ',
      description: 'Who pays',
      filters: filtersOf([PRO, did('bought')], 'OR'),
    };
    const made = await suite.ask('POST', 'cohorts', { payload });
    expect(made).toMatchObject({
      status: 201,
      body: {
        name: 'Customers',
        description: 'Who pays',
        is_static: false,
        filters: {
          properties: { type: 'OR', values: [PRO, { key: 'bought' }] },
        },
        created_by: 'user:default/lin',
        may_change: true,
        version: 1,
      },
    });
    const path = `cohorts/${made.body.id}`;
    for (const as of ['grace', 'token']) {
      expect(await suite.ask('GET', path, { as })).toMatchObject({
        status: 200,
        body: { id: made.body.id, may_change: false },
      });
    }
    const list = await suite.ask('GET', 'cohorts?limit=1', { as: 'token' });
    expect(list.body).toMatchObject({
      count: 1,
      next: null,
      results: [{ id: made.body.id }],
    });
    const renamed = { payload: { name: 'Payers' } };
    expect(await suite.ask('PATCH', path, { ...renamed, as: 'grace' })).toEqual(
      expect.objectContaining({ status: 403 }),
    );
    const changed = await suite.ask('PATCH', path, { ...renamed, as: 'ada' });
    expect(changed).toMatchObject({
      status: 200,
      body: { name: 'Payers', description: 'Who pays', version: 2 },
    });
    const late = { ifMatch: made.etag };
    expect(
      (await suite.ask('PATCH', path, { ...renamed, ...late })).status,
    ).toBe(412);
    expect((await suite.ask('DELETE', path, late)).status).toBe(412);
    expect((await suite.ask('DELETE', path, { as: 'grace' })).status).toBe(403);
    expect((await suite.ask('DELETE', path)).status).toBe(200);
    expect((await suite.ask('GET', path)).status).toBe(404);
    expect((await suite.ask('GET', `${path}/persons`)).status).toBe(404);
  });

  it('are not for others', async () => {
    const payload = { name: 'Mine', distinct_ids: ['ada'] };
    for (const [as, status] of [
      ['nobody', 401],
      ['joan', 403],
    ] as const) {
      expect((await suite.ask('GET', 'cohorts', { as })).status).toBe(status);
      expect((await suite.ask('POST', 'cohorts', { as, payload })).status).toBe(
        status,
      );
    }
    expect(
      (await suite.ask('POST', 'cohorts', { as: 'token', payload })).status,
    ).toBe(401);
    const project = 'counted';
    expect((await suite.ask('GET', 'cohorts', { project })).status).toBe(403);
    expect(
      (await suite.ask('POST', 'cohorts', { project, payload })).status,
    ).toBe(403);
  });

  it('may be a group within a group, as PostHog sends them', async () => {
    const inner = { type: 'OR', values: [PRO, did('bought')] };
    const id = await suite.create({ filters: filtersOf([inner]) });
    const { body } = await suite.ask('GET', `cohorts/${id}`);
    expect(body.filters.properties).toMatchObject({
      type: 'OR',
      values: [PRO, { key: 'bought', value: 'performed_event' }],
    });
    await suite.ask('DELETE', `cohorts/${id}`);
  });

  const many = Array.from({ length: 21 }, () => PRO);
  it.each<[object, string | null]>([
    [{}, 'distinct_ids'],
    [{ is_static: false }, 'filters'],
    [{ name: ' ', filters: filtersOf([PRO]) }, 'name'],
    [{ filters: filtersOf([]) }, 'filters.properties.values'],
    [{ filters: filtersOf(many) }, 'filters.properties.values'],
    [{ filters: filtersOf([inCohort(1)]) }, 'filters.properties.values.0.type'],
    [
      { filters: filtersOf([{ ...PRO, operator: 'gt' }]) },
      'filters.properties.values.0.value',
    ],
    [
      {
        filters: filtersOf([
          filtersOf([{ ...PRO, operator: 'gt' }]).properties,
        ]),
      },
      'filters.properties.values.0.values.0.value',
    ],
    [
      { filters: filtersOf([{ type: 'AND', values: [PRO] }, PRO]) },
      'filters.properties.values.0',
    ],
    [
      { filters: filtersOf([did('bought', { time_value: 0 })]) },
      'filters.properties.values.0.time_value',
    ],
    [{ filters: filtersOf([PRO]), is_static: true }, 'filters'],
    [{ filters: filtersOf([PRO]), distinct_ids: ['ada'] }, 'distinct_ids'],
    [{ distinct_ids: [] }, 'distinct_ids'],
    [{ distinct_ids: ['ada', 'a\0'] }, 'distinct_ids.1'],
    [
      {
        query: {
          kind: 'ActorsQuery',
          properties: [{ ...PRO, value: 'nobody has it' }],
        },
      },
      'query',
    ],
    [{ query: { kind: 'TrendsQuery' } }, 'query.kind'],
    [
      {
        query: {
          kind: 'ActorsQuery',
          properties: [{ key: 'plan', value: 'pro' }],
        },
      },
      'query.properties.0.type',
    ],
    [
      {
        query: {
          kind: 'ActorsQuery',
          properties: Array.from({ length: 21 }, (_, id) => inCohort(id + 1)),
        },
      },
      'query',
    ],
    [
      { query: { kind: 'ActorsQuery', properties: [inCohort(999)] } },
      'query.properties.0.value',
    ],
  ])('cannot be %j', async (payload, attr) => {
    const answer = await suite.ask('POST', 'cohorts', {
      payload: { name: 'Customers', ...payload },
    });
    expect(answer).toMatchObject({ status: 400, body: { attr } });
  });

  it('are copied, with their conditions or their people', async () => {
    const event = { event: 'opened', distinct_id: 'copied' };
    await suite.client.capture(event);
    const list = await suite.create({ name: 'List', distinct_ids: ['copied'] });
    const rule = await suite.create({ filters: filtersOf([PRO]) });
    const copy = await suite.ask('POST', `cohorts/${list}/duplicate`, {
      as: 'grace',
    });
    expect(copy).toMatchObject({
      status: 201,
      body: { name: 'List (copy)', is_static: true, may_change: true },
    });
    const people = `cohorts/${copy.body.id}/persons`;
    expect((await suite.ask('GET', people)).body).toMatchObject({
      count: 1,
      persons: [{ id: 'copied' }],
    });
    const other = await suite.ask('POST', `cohorts/${rule}/duplicate`);
    expect(other.body.filters).toEqual(filtersOf([PRO]));
    // A fixed list cannot become a cohort with conditions.
    const filters = filtersOf([PRO]);
    expect(
      await suite.ask('PATCH', `cohorts/${list}`, { payload: { filters } }),
    ).toMatchObject({ status: 400, body: { attr: 'filters' } });
    for (const id of [list, rule, copy.body.id, other.body.id]) {
      await suite.ask('DELETE', `cohorts/${id}`, { as: 'ada' });
    }
  });

  it('gain and lose the people of a fixed list', async () => {
    await suite.client.batch([
      { event: 'opened', distinct_id: 'first' },
      { event: 'opened', distinct_id: 'phone' },
      { event: 'opened', distinct_id: 'second' },
      {
        event: '$identify',
        distinct_id: 'merged',
        properties: { $anon_distinct_id: 'phone' },
      },
    ]);
    const ids = ['first', 'phone'];
    const id = await suite.create({ name: 'List', distinct_ids: ids });
    const path = `cohorts/${id}`;
    const shown = async () => {
      const { body } = await suite.ask('GET', `${path}/persons`);
      return body.persons.map((person: { id: string }) => person.id).toSorted();
    };
    const patch = (payload: object, more: object = {}) =>
      suite.ask('PATCH', path, { payload, ...more });
    const added = await patch({ add_distinct_ids: ['second', 'first'] });
    expect(added).toMatchObject({
      status: 200,
      body: { version: 2, count: 3 },
    });
    expect((await suite.ask('GET', path)).body.count).toBe(3);
    expect(await shown()).toEqual(['first', 'merged', 'second']);
    // Removes a person by an id that is not the one in the list.
    const swapped = {
      add_distinct_ids: ['second'],
      remove_distinct_ids: ['merged', 'second'],
    };
    expect((await patch(swapped, { ifMatch: added.etag })).status).toBe(200);
    expect(await shown()).toEqual(['first', 'second']);
    const late = await patch(swapped, { ifMatch: added.etag });
    expect(late.status).toBe(412);
    expect((await patch(swapped, { as: 'grace' })).status).toBe(403);
    const tooMany = Array.from(
      { length: 10_000 },
      (_, index) => `user-${index}`,
    );
    expect(await patch({ add_distinct_ids: tooMany })).toMatchObject({
      status: 400,
      body: { attr: 'add_distinct_ids' },
    });
    await patch({ remove_distinct_ids: ['first', 'second', 'nobody'] });
    expect(await shown()).toEqual([]);
    await suite.ask('DELETE', path);
    const rule = await suite.create({ filters: filtersOf([PRO]) });
    for (const attr of ['add_distinct_ids', 'remove_distinct_ids']) {
      expect(
        await suite.ask('PATCH', `cohorts/${rule}`, {
          payload: { [attr]: ['first'] },
        }),
      ).toMatchObject({ status: 400, body: { attr } });
    }
    await suite.ask('DELETE', `cohorts/${rule}`);
  });

  it('lose people by an id that was merged just before', async () => {
    const id = await suite.create({ distinct_ids: ['tablet', 'other'] });
    await suite.client.batch([
      {
        event: '$identify',
        distinct_id: 'just-merged',
        properties: { $anon_distinct_id: 'tablet' },
      },
    ]);
    const changed = await suite.ask('PATCH', `cohorts/${id}`, {
      payload: { remove_distinct_ids: ['just-merged'] },
    });
    expect(changed.body.count).toBe(1);
    await suite.ask('DELETE', `cohorts/${id}`);
  });

  it('keep what several people add and remove at the same time', async () => {
    const id = await suite.create({ distinct_ids: ['first', 'second'] });
    const changes = [
      { remove_distinct_ids: ['first'] },
      { remove_distinct_ids: ['first', 'second'] },
      ...['a', 'b', 'c'].map(each => ({ add_distinct_ids: [each, 'same'] })),
    ];
    const answers = await Promise.all(
      changes.map((payload, index) =>
        suite.ask('PATCH', `cohorts/${id}`, {
          payload,
          as: index % 2 ? 'ada' : 'lin',
        }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(changes.map(() => 200));
    const versions = answers.map(({ body }) => body.version);
    expect(new Set(versions).size).toBe(changes.length);
    const listed = await database
      .knex('cohort_ids')
      .where({ cohort_id: id })
      .orderBy('distinct_id')
      .pluck('distinct_id');
    expect(listed).toEqual(['a', 'b', 'c', 'same']);
    expect((await suite.ask('GET', `cohorts/${id}`)).body).toMatchObject({
      count: 4,
      version: 1 + changes.length,
    });
    await suite.ask('DELETE', `cohorts/${id}`);
  });

  it('are not deleted while a saved insight uses them', async () => {
    const id = await suite.create({ filters: filtersOf([PRO]) });
    const insight = await suite.ask('POST', 'insights', {
      payload: {
        name: 'Sales',
        query: {
          kind: 'TrendsQuery',
          series: [{ kind: 'EventsNode', properties: [inCohort(id)] }],
        },
      },
    });
    expect(await suite.ask('DELETE', `cohorts/${id}`)).toMatchObject({
      status: 409,
      body: { detail: 'Saved insights use the cohort: Sales' },
    });
    const breakdown = { breakdown_type: 'cohort', breakdown: [id, 'all'] };
    await suite.ask('PUT', `insights/${insight.body.id}`, {
      ifMatch: insight.etag,
      payload: {
        name: 'Sales by cohort',
        query: {
          kind: 'TrendsQuery',
          series: [{ kind: 'EventsNode' }],
          breakdownFilter: breakdown,
        },
      },
    });
    expect(await suite.ask('DELETE', `cohorts/${id}`)).toMatchObject({
      status: 409,
      body: { detail: 'Saved insights use the cohort: Sales by cohort' },
    });
    await suite.ask('DELETE', `insights/${insight.body.id}`);
    expect((await suite.ask('DELETE', `cohorts/${id}`)).status).toBe(200);
  });

  it('break down queries, but not in every way', async () => {
    const id = await suite.create({ filters: filtersOf([PRO]) });
    const ask = async (breakdown: unknown, more: object = {}) => {
      const breakdownFilter = { breakdown_type: 'cohort', breakdown };
      const node = { kind: 'EventsNode' };
      const query = { series: [node], breakdownFilter, ...more };
      const { status, body } = await suite.ask('POST', 'query', {
        payload: { query: { kind: 'TrendsQuery', ...query } },
      });
      return status === 200 ? status : [status, body.attr];
    };
    expect(await ask([id, 'others', 'all'])).toBe(200);
    // PostHog's clients send an empty breakdown before a cohort is chosen.
    expect(await ask([])).toBe(200);
    const field = 'query.breakdownFilter.breakdown';
    expect(await ask([999])).toEqual([400, `${field}.0`]);
    expect(await ask('Customers')).toEqual([400, field]);
    expect(await ask(['all', 'others'])).toEqual([400, `${field}.1`]);
    expect(await ask([id, String(id)])).toEqual([400, `${field}.1`]);
    const eleven = Array.from({ length: 11 }, (_, index) => index + 1);
    expect(await ask(eleven)).toEqual([400, field]);
    const series = Array.from({ length: 17 }, () => ({ kind: 'EventsNode' }));
    expect(await ask([id, 'others', 'all'], { series })).toEqual([400, field]);
    expect(await ask(id, { kind: 'StickinessQuery' })).toEqual([400, field]);
    const funnel = {
      kind: 'FunnelsQuery',
      series: series.slice(0, 2),
      funnelsFilter: { funnelVizType: 'time_to_convert' },
    };
    expect(await ask(id, funnel)).toEqual([400, 'query.breakdownFilter']);
    for (const breakdown of [[id], ['a', 'b', 'c', 'd']]) {
      const breakdownFilter = { breakdown };
      expect(await ask(undefined, { breakdownFilter })).toEqual([400, field]);
    }
  });

  it('select the people behind a number of a breakdown', async () => {
    const id = await suite.create({ filters: filtersOf([PRO]) });
    const source = {
      kind: 'InsightActorsQuery',
      source: {
        kind: 'TrendsQuery',
        series: [{ kind: 'EventsNode' }],
        breakdownFilter: { breakdown_type: 'cohort', breakdown: [id] },
      },
    };
    const ask = async (more: object) => {
      const query = { kind: 'ActorsQuery', source: { ...source, ...more } };
      const { status, body } = await suite.ask('POST', 'query', {
        payload: { query },
      });
      return [status, body.attr];
    };
    expect(await ask({ breakdown: id })).toEqual([200, undefined]);
    expect(await ask({ breakdown: 'all' })).toEqual([
      400,
      'query.source.breakdown',
    ]);
    const breakdownFilter = { breakdown_type: 'cohort', breakdown: [999] };
    expect(
      await ask({ source: { ...source.source, breakdownFilter } }),
    ).toEqual([400, 'query.source.source.breakdownFilter.breakdown.0']);
  });

  it('can define test accounts, and can then only be changed by admins', async () => {
    const filters = filtersOf([PRO]);
    const id = await suite.create({ filters });
    const setTests = (...test_account_filters: object[]) =>
      suite.ask('PATCH', '', { as: 'ada', payload: { test_account_filters } });
    expect(await setTests(inCohort(999))).toMatchObject({
      status: 400,
      body: { attr: 'test_account_filters.0.value' },
    });
    const value = Array.from({ length: 21 }, (_, index) => index + 1);
    expect(await setTests({ ...inCohort(id), value })).toMatchObject({
      status: 400,
      body: { attr: 'test_account_filters' },
    });
    const filter = inCohort(id, 'not_in');
    expect(await setTests(filter)).toMatchObject({
      status: 200,
      body: { test_account_filters: [filter] },
    });
    const path = `cohorts/${id}`;
    const { body } = await suite.ask('GET', path);
    expect(body.may_change).toBe(false);
    const change = { payload: { filters: filtersOf([did('bought')]) } };
    expect((await suite.ask('PATCH', path, change)).status).toBe(403);
    expect((await suite.ask('DELETE', path)).status).toBe(403);
    const byAdmin = { ...change, as: 'ada' };
    expect((await suite.ask('PATCH', path, byAdmin)).status).toBe(200);
    expect(await suite.ask('DELETE', path, { as: 'ada' })).toMatchObject({
      status: 409,
      body: { detail: 'The filters of test accounts use the cohort' },
    });
    await setTests();
    expect((await suite.ask('DELETE', path)).status).toBe(200);
  });

  it('are in no query of a project that hides people', async () => {
    // Create the cohort while the project still shows people.
    const id = await suite.create({ distinct_ids: ['ada'] });
    for (const [table, key] of [
      ['cohorts', 'id'],
      ['cohort_ids', 'cohort_id'],
    ]) {
      const moved = { project_id: 'counted' };
      await database.knex(table).where(key, id).update(moved);
    }
    const properties = [inCohort(id)];
    for (const query of [
      { kind: 'TrendsQuery', series: [{ kind: 'EventsNode' }], properties },
      { kind: 'RetentionQuery', properties },
      { kind: 'PathsQuery', properties },
      { kind: 'WebOverviewQuery', properties },
      {
        kind: 'TrendsQuery',
        series: [{ kind: 'EventsNode' }],
        breakdownFilter: { breakdown_type: 'cohort', breakdown: [id] },
      },
      { kind: 'ActorsQuery', properties },
      { kind: 'EventsQuery', select: ['event'], properties },
      {
        kind: 'HogQLQuery',
        query: 'select count() from events where {filters}',
        filters: { properties },
      },
      {
        kind: 'HogQLQuery',
        query: `select count() from events where person_id in cohort ${id}`,
      },
    ]) {
      const answer = await suite.ask('POST', 'query', {
        project: 'counted',
        payload: { query },
      });
      expect([query.kind, answer.status]).toEqual([query.kind, 403]);
    }
  });
});
