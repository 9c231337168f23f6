import { analyticsSuite } from '../__testUtils__/analyticsSuite.ts';
import {
  FUNNEL,
  lifecycleOf,
  ON_FRIDAY,
  pathsOf,
  stickinessOf,
  TRENDS,
} from './__testUtils__/actorQueries.ts';

describe('the numbers of an ActorsQuery', () => {
  const suite = analyticsSuite('sqlite', 'block');
  const ask = (query: object) =>
    suite.client.query({ kind: 'ActorsQuery', ...query });
  const funnelOf = (more: object) => ({
    source: { kind: 'FunnelsActorsQuery', source: FUNNEL, ...more },
  });
  const trendsOf = (more: object) => ({ source: { ...ON_FRIDAY, ...more } });
  it.each([
    [{}, 'query.kind'],
    [{ source: { kind: 'HogQLQuery' } }, 'query.kind'],
    [{ source: { kind: 'InsightActorsQuery' } }, 'query.source.source'],
    [trendsOf({ source: FUNNEL }), 'query.source.source.kind'],
    [
      trendsOf({ source: { ...TRENDS, source: ON_FRIDAY } }),
      'query.source.source.source',
    ],
    [trendsOf({ day: '2026-11-01' }), 'query.source.day'],
    [trendsOf({ day: 4 }), 'query.source.day'],
    [trendsOf({ series: 1 }), 'query.source.series'],
    [trendsOf({ compare: 'previous' }), 'query.source.compare'],
    [trendsOf({ breakdown: 'pro' }), 'query.source.breakdown'],
    [
      trendsOf({
        source: { ...TRENDS, series: [{ kind: 'EventsNode', math: 'sum' }] },
      }),
      'query.source.source.series.0.math_property',
    ],
    [
      trendsOf({ source: { ...TRENDS, series: [{ kind: 'ActionsNode' }] } }),
      'query.source.source.series.0.kind',
    ],
    [
      trendsOf({
        source: { kind: 'RetentionQuery' },
        interval: 0,
        returnInterval: 8,
      }),
      'query.source.returnInterval',
    ],
    [trendsOf({ source: { kind: 'RetentionQuery' } }), 'query.source.interval'],
    [funnelOf({}), 'query.source.funnelStep'],
    [funnelOf({ funnelStep: 3 }), 'query.source.funnelStep'],
    [funnelOf({ funnelStep: -1 }), 'query.source.funnelStep'],
    [
      funnelOf({
        funnelStep: 1,
        source: { ...FUNNEL, aggregation_group_type_index: 0 },
      }),
      'query.source.source.aggregation_group_type_index',
    ],
    [{ source: lifecycleOf({ day: '2026-11-01' }) }, 'query.source.day'],
    [{ source: lifecycleOf({ status: 'old' }) }, 'query.source.status'],
    [{ source: stickinessOf({ day: 0 }) }, 'query.source.day'],
    [{ source: stickinessOf({ day: 1_000 }) }, 'query.source.day'],
    [{ source: stickinessOf({ day: '2026-11-20' }) }, 'query.source.day'],
    [{ source: stickinessOf({ operator: 'lt' }) }, 'query.source.operator'],
    [{ source: stickinessOf({ series: 1 }) }, 'query.source.series'],
    [{ source: stickinessOf({ compare: 'previous' }) }, 'query.source.compare'],
    [
      { source: { ...lifecycleOf({}), kind: 'StickinessActorsQuery' } },
      'query.source.source.kind',
    ],
    [
      { source: pathsOf({ pathStartKey: '/a' }) },
      'query.source.source.pathsFilter.pathStartKey',
    ],
    [
      { source: pathsOf({ pathDropoffKey: '1_/a' }) },
      'query.source.source.pathsFilter.pathDropoffKey',
    ],
    ...[lifecycleOf({}), stickinessOf({}), pathsOf({})].map(
      (source): [object, string] => [
        {
          source: {
            ...source,
            source: { ...source.source, aggregation_group_type_index: 0 },
          },
        },
        'query.source.source.aggregation_group_type_index',
      ],
    ),
    [{ ...trendsOf({}), limit: 201 }, 'query.limit'],
    [{ ...trendsOf({}), select: ['email'] }, 'query.select.0'],
    [{ ...trendsOf({}), select: ['id', 'actor', 'id'] }, 'query.select.2'],
    [{ ...trendsOf({}), orderBy: ['id'] }, 'query.orderBy'],
  ] as [object, string][])('are not guessed: %j', async (query, field) => {
    const { status, body } = await ask(query);
    expect([status, body.attr]).toEqual([400, field]);
    expect(body.detail).toContain(field);
  });

  it('leaves other kinds of queries an empty source', async () => {
    const of = (source: unknown) => suite.client.query({ ...TRENDS, source });
    expect((await of(null)).status).toBe(200);
    expect((await of({})).status).toBe(200);
    expect((await of(ON_FRIDAY)).body.attr).toBe('query.source');
  });
});
