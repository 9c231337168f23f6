import { allEngines } from '../../__testUtils__/startAnalytics.ts';
import { analyticsSuite } from '../../__testUtils__/analyticsSuite.ts';

/** The replacement of ids that the portal sends twice, as consecutive ids share a slash. */
const WITHOUT_IDS = {
  regex: '/(?:[0-9]+|[0-9a-fA-F-]{16,})(/|[?]|#|$)',
  alias: '/:id\\1',
};

describe.each(allEngines)('paths in %s', engine => {
  const suite = analyticsSuite(engine, 'project');

  const ask = (pathsFilter: object) =>
    suite.client.insight({ kind: 'PathsQuery', pathsFilter });

  it('lead over pages whose addresses differ by ids only', async () => {
    const visits = [
      [
        'ada',
        ['/orders', '/orders/1/items/01890a5d-ac96-774b-bcce-b302099a8057'],
      ],
      ['bob', ['/orders', '/orders/22/3?from=mail']],
      ['eve', ['/orders', '/orders/333/4?from=mail']],
    ] as const;
    await suite.client.batch(
      visits.flatMap(([person, paths]) =>
        paths.map((path, index) => ({
          event: '$pageview',
          distinct_id: person,
          timestamp: new Date(Date.now() - 60_000 + index).toISOString(),
          properties: { $current_url: `https://shop.example.com${path}` },
        })),
      ),
    );
    const { status, body } = await ask({
      localPathCleaningFilters: [
        { regex: '^https://shop[.]example[.]com', alias: '' },
        WITHOUT_IDS,
        WITHOUT_IDS,
      ],
    });
    expect(status).toBe(200);
    expect(body.results).toMatchObject([
      { source: '1_/orders', target: '2_/orders/:id/:id?from=mail', value: 2 },
      { source: '1_/orders', target: '2_/orders/:id/items/:id', value: 1 },
    ]);
  });

  it('refuse a regular expression that is not safe, naming it', async () => {
    const { status, body } = await ask({
      localPathCleaningFilters: [WITHOUT_IDS, { regex: '(a+)+', alias: '' }],
    });
    expect(status).toBe(400);
    expect(body).toMatchObject({
      attr: 'query.pathsFilter.localPathCleaningFilters.1.regex',
    });
  });
});
