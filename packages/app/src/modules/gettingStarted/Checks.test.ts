import { type CheckId, Checks } from './Checks';

/** Creates checks whose parts always return the same response. */
function checksOf(answer: object) {
  const client = { json: async <T>() => answer as T };
  return new Checks({
    lake: client,
    workspaces: client,
    builds: client,
    flags: client,
    analytics: client,
  });
}

it.each([
  [
    'connect',
    { sources: [{ source: 'github' }] },
    { sources: [{ source: 'demo' }] },
  ],
  ['workspace', { workspaces: [{}] }, { workspaces: [] }],
  [
    'build',
    { jobs: [{ name: 'hello', lastBuild: { number: 1 } }] },
    {
      jobs: [
        { name: 'hello', lastBuild: null },
        { name: 'demo-cart-api', lastBuild: { number: 7 } },
      ],
    },
  ],
  [
    'deployment',
    { deployments: [{ service: 'demo/cart-api' }, { service: 'shop' }] },
    { deployments: [{ service: 'demo/cart-api' }] },
  ],
  [
    'flag',
    { features: [{ name: 'checkout', project: 'default' }] },
    {
      features: [
        { name: 'portal.flag-usage', project: 'default' },
        { name: 'demo.gift-cards', project: 'demo' },
      ],
    },
  ],
  ['team', { results: [[2]] }, { results: [[1]] }],
] as [CheckId, object, object][])(
  'knows whether %s is done, whatever the demo organisation did',
  async (id, done, open) => {
    expect(await checksOf(done).isDone(id)).toBe(true);
    expect(await checksOf(open).isDone(id)).toBe(false);
  },
);
