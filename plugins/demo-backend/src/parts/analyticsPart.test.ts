import type {
  PlatformClient,
  PlatformRequest,
} from '../platform/PlatformClient';
import { tellStory } from '../story/Story';
import { analyticsPart } from './analyticsPart';
import { DASHBOARDS, INSIGHTS } from './analyticsViews';

const story = tellStory({ now: Date.UTC(2026, 10, 23, 9, 30) });

/** Loads the part, and returns what it sent to each path. */
async function load(options: { insights?: object[]; cohorts?: object[] } = {}) {
  const sent: Record<string, object[]> = {};
  const service = async (
    _: string,
    { method, path, body }: PlatformRequest,
  ) => {
    if (method === 'GET') {
      return {
        insights: options.insights ?? [],
        results: options.cohorts ?? [],
      };
    }
    const kind = path.split('/').at(-1)!;
    sent[kind] = [...(sent[kind] ?? []), body!];
    return { id: `${kind}-${sent[kind].length}` };
  };
  await analyticsPart.load({
    platform: { service } as unknown as PlatformClient,
    story,
    appUrl: 'http://localhost:3000',
    onProgress: () => {},
  });
  return sent;
}

it('saves dashboards whose tiles are the saved insights', async () => {
  const { insights, dashboards } = await load();
  expect(insights).toEqual(INSIGHTS);
  expect(dashboards).toEqual([
    {
      name: 'Orders',
      tiles: DASHBOARDS[0].insights.map(
        name =>
          `insights-${INSIGHTS.findIndex(each => each.name === name) + 1}`,
      ),
    },
    { name: 'Customers', tiles: expect.any(Array) },
  ]);
  const shown = DASHBOARDS.flatMap(each => each.insights);
  expect([...shown].sort()).toEqual(INSIGHTS.map(({ name }) => name).sort());
});

it('asks about events and properties that customers have', async () => {
  const { events } = await load();
  const all = (
    events as { batch: { event: string; properties: object }[] }[]
  ).flatMap(({ batch }) => batch);
  const names = new Set(all.map(({ event }) => event));
  const properties = new Set(all.flatMap(each => Object.keys(each.properties)));
  const asked = JSON.stringify(INSIGHTS);
  const found = (field: string) =>
    [...asked.matchAll(new RegExp(`"${field}":"([^"]+)"`, 'g'))].map(
      ([, value]) => value,
    );
  expect(found('event')).not.toHaveLength(0);
  expect(
    [...found('event'), ...found('id')].filter(each => !names.has(each)),
  ).toEqual([]);
  const inSql = [...asked.matchAll(/properties\.([$\w]+)/g)].map(
    ([, name]) => name,
  );
  expect(
    [...inSql, ...found('math_property')].filter(each => !properties.has(each)),
  ).toEqual([]);
});

it('marks the incidents that customers noticed', async () => {
  const { annotations } = await load();
  expect(annotations).toEqual([
    {
      content: 'Product pages take 10 seconds',
      date_marker: expect.stringMatching(/^2026-10-2\d/),
    },
    {
      content: 'Orders with a gift card fail at payment',
      date_marker: expect.stringMatching(/^2026-11-1\d/),
    },
  ]);
});

it('saves cohorts by a property, by events and as a list, all with customers who exist', async () => {
  const { cohorts, events } = await load();
  const all = (
    events as { batch: { event: string; distinct_id: string }[] }[]
  ).flatMap(({ batch }) => batch);
  const conditions = JSON.stringify(cohorts);
  const keys = [...conditions.matchAll(/"behavioral","key":"([^"]+)"/g)].map(
    ([, key]) => key,
  );
  const names = new Set(all.map(({ event }) => event));
  expect(new Set(keys)).toEqual(new Set(['added to cart', 'order paid']));
  expect(keys.filter(key => !names.has(key))).toEqual([]);
  // Customers get this property with their orders.
  expect(conditions).toContain('"key":"product","value":"Storm lantern"');
  expect(JSON.stringify(all)).toContain('"product":"Storm lantern"}');
  const listed = cohorts.flatMap(
    each => (each as { distinct_ids?: string[] }).distinct_ids ?? [],
  );
  const customers = new Set(all.map(each => each.distinct_id));
  expect(listed.length).toBeGreaterThan(3);
  expect(listed.length).toBeLessThan(customers.size / 4);
  expect(new Set(listed).size).toBe(listed.length);
  expect(listed.filter(id => !customers.has(id))).toEqual([]);
});

it('saves nothing twice', async () => {
  const { cohorts } = await load();
  const sent = await load({ insights: [{}], cohorts });
  expect(Object.keys(sent).sort()).toEqual(['events', 'projects']);
});
