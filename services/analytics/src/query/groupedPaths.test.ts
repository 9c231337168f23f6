import { testEngines } from '../__testUtils__/startAnalytics.ts';
import { analyticsSuite, event } from '../__testUtils__/analyticsSuite.ts';

const IDS = "'/([0-9]+|[0-9a-fA-F-]{16,})/', '/:id/'";
const once = `replaceRegexpAll(concat(properties.$pathname, '/'), ${IDS})`;
/** The expression by which the portal lists pages. */
const PAGE = `replaceRegexpOne(replaceRegexpAll(${once}, ${IDS}), '/$', '')`;

describe.each(testEngines)('paths with ids in %s', engine => {
  const suite = analyticsSuite(engine);

  it('are grouped', async () => {
    const paths = [
      ['/', '/'],
      ['/orders/1', '/orders/:id'],
      ['/orders/22/', '/orders/:id/'],
      ['/a/1/2/3/b', '/a/:id/:id/:id/b'],
      ['/u/01890a5d-ac96-774b-bcce-b302099a8057', '/u/:id'],
      ['/v2/2fast', '/v2/2fast'],
      ['/feedback', '/feedback'],
    ];
    await suite.client.batch(
      paths.map(([path]) => ({ ...event, properties: { $pathname: path } })),
    );
    const { status, body } = await suite.client.query({
      select: ['properties.$pathname', PAGE],
    });
    expect([status, Object.fromEntries(body.results)]).toEqual([
      200,
      Object.fromEntries(paths),
    ]);
  });
});
