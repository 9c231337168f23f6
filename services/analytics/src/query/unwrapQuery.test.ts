import type { FastifyRequest } from 'fastify';
import { unwrapQuery } from './unwrapQuery.ts';

const unwrap = async (query: object) => {
  const request = { body: { query } };
  await unwrapQuery(request as unknown as FastifyRequest);
  return request.body.query;
};

const TRENDS = {
  kind: 'TrendsQuery',
  series: [{ kind: 'EventsNode', event: 'bought', math: 'dau' }],
  properties: { type: 'AND', values: [{ type: 'OR', values: [{ key: 'a' }] }] },
};

it('unwraps queries from the nodes that say how they are shown', async () => {
  const source = { kind: 'InsightVizNode', source: TRENDS };
  expect(await unwrap({ kind: 'DataTableNode', source })).toEqual(TRENDS);
});

it.each([
  [{ kind: 'PersonsNode' }, 'kind cannot be PersonsNode: use GET'],
  [
    { series: [{ kind: 'EventsNode' }, { kind: 'ActionsNode' }] },
    'series.1.kind cannot be ActionsNode: use EventsNode',
  ],
  [
    { series: [{ math: 'avg_count_per_actor' }] },
    'series.0.math cannot be avg_count_per_actor: use hogql',
  ],
  [
    { series: [{ properties: [{ type: 'recording' }] }] },
    'series.0.properties.0.type cannot be recording: use event',
  ],
  [
    { properties: { values: [{ values: [{ type: 'session' }] }] } },
    'properties.values.0.values.0.type cannot be session: use event',
  ],
  [
    { breakdownFilter: { breakdown_type: 'session' } },
    'breakdownFilter.breakdown_type cannot be session: use event',
  ],
  [
    {
      breakdownFilter: { breakdowns: [{ type: 'event' }, { type: 'cohort' }] },
    },
    'breakdownFilter.breakdowns.1.type cannot be cohort: use breakdown_type cohort',
  ],
])('names what to use instead of %j', async (parts, message) => {
  await expect(unwrap({ ...TRENDS, ...parts })).rejects.toThrow(
    `query.${message}`,
  );
});

it.each([7, [7], { series: 7 }, { properties: 'x' }, { breakdownFilter: [] }])(
  'leaves %j to the validation',
  async query => {
    expect(await unwrap(query as object)).toEqual(query);
  },
);
