import { flagsSuite } from '../__testUtils__/flagsSuite.ts';
import { FRONTEND_TOKEN } from '../__testUtils__/startFeatureFlags.ts';

const PATH =
  '/projects/default/features/checkout/environments/development/playground';

const rollout = (percentage: number) => ({
  name: 'flexibleRollout',
  parameters: {
    rollout: String(percentage),
    stickiness: 'default',
    groupId: 'checkout',
  },
});

describe('the playground', () => {
  const suite = flagsSuite('sqlite');
  const ask = async (context: object, draft?: object) =>
    (await suite.calls.admin('POST', PATH, { context, draft })).body;

  it('says who gets a flag and why, as the frontend API does', async () => {
    const segment = await suite.calls.admin('POST', '/segments', {
      name: 'eu',
      constraints: [{ contextName: 'region', operator: 'IN', values: ['eu'] }],
    });
    const { id } = segment.body;
    await suite.calls.create('checkout', {
      enabled: true,
      strategies: [
        {
          ...rollout(100),
          segments: [id],
          constraints: [
            {
              contextName: 'userId',
              operator: 'STR_STARTS_WITH',
              values: ['a'],
            },
          ],
          variants: [
            { name: 'red', weight: 500, stickiness: 'default' },
            { name: 'blue', weight: 500, stickiness: 'default' },
          ],
        },
      ],
    });
    const inEurope = { userId: 'ada', properties: { region: 'eu' } };
    const yes = await ask(inEurope);
    expect(yes).toMatchObject({
      enabled: true,
      reason: 'matching rule',
      strategies: [
        {
          enabled: true,
          rollout: true,
          constraints: [{ contextName: 'userId', enabled: true }],
          segments: [{ id, name: 'eu', enabled: true }],
        },
      ],
      // The ids of simulated users do not start with an a.
      simulation: { users: 1_000, enabled: 0 },
    });
    const frontend = await suite.calls.send(
      'GET',
      '/api/frontend?userId=ada&properties[region]=eu',
      { token: FRONTEND_TOKEN },
    );
    expect(frontend.body.toggles).toMatchObject([{ variant: yes.variant }]);
    expect(await ask({ userId: 'ada', region: 'us' })).toMatchObject({
      enabled: false,
      reason: 'no matching rule',
      strategies: [
        {
          enabled: false,
          rollout: true,
          constraints: [{ enabled: true }],
          segments: [{ enabled: false }],
        },
      ],
    });
  });

  it('simulates users, also for rules that are not saved', async () => {
    await suite.calls.create('checkout', {
      enabled: true,
      strategies: [rollout(25)],
    });
    const { simulation } = await ask({});
    expect(simulation.enabled).toBeGreaterThan(200);
    expect(simulation.enabled).toBeLessThan(300);
    const draft = await ask({}, { strategies: [rollout(0)] });
    expect(draft).toMatchObject({ simulation: { enabled: 0 } });
    expect(await ask({}, { enabled: false })).toMatchObject({
      reason: 'turned off',
    });
  });

  it('simulates fewer users if rules take long, and lets other work run meanwhile', async () => {
    await suite.calls.create('checkout', { enabled: true, strategies: [] });
    const strategies = Array.from({ length: 50 }, (_, strategy) => ({
      ...rollout(100),
      constraints: Array.from({ length: 10 }, (_each, index) => ({
        contextName: 'userId',
        operator: 'REGEX',
        // Only the last constraint is not met, so that all of them are evaluated.
        value: `${index === 9 ? 'x' : 'simulated'}.{0,${strategy + 1}}.{0,${index + 1}}`,
      })),
    }));
    let turns = 0;
    const timer = setInterval(() => {
      turns += 1;
    }, 10);
    const { simulation } = await ask({ userId: 'simulated' }, { strategies });
    clearInterval(timer);
    expect(turns).toBeGreaterThan(5);
    expect(simulation.users).toBeGreaterThan(0);
    expect(simulation.users).toBeLessThan(1_000);
  });

  it('says that a parent is off, that there are no rules, and what is invalid', async () => {
    await suite.calls.create('parent');
    await suite.calls.create('checkout', {
      enabled: true,
      strategies: [],
      dependencies: [{ feature: 'parent' }],
    });
    expect(await ask({})).toMatchObject({
      enabled: false,
      reason: 'parent flag',
      dependencies: [{ feature: 'parent', enabled: false }],
    });
    await suite.calls.admin('POST', '/features/parent/toggle/on');
    expect(await ask({})).toMatchObject({
      enabled: true,
      reason: 'no rules',
      simulation: { enabled: 1_000 },
    });
    const status = async (path: string, body: object) =>
      (await suite.calls.admin('POST', path, body)).status;
    expect(await status(PATH.replace('checkout', 'none'), {})).toBe(404);
    expect(await status(PATH.replace('development', 'none'), {})).toBe(404);
    expect(await status(PATH, { context: 'ada' })).toBe(400);
    expect(await status(PATH, { draft: { strategy: [] } })).toBe(400);
  });
});
