import { flagsSuite } from '../__testUtils__/flagsSuite.ts';
import { withFixedChance } from './chance.ts';

const ENVIRONMENT = 'development';

it('restores chance, also after an error', () => {
  const { random } = Math;
  expect(withFixedChance(() => 7)).toEqual({ result: 7, isDrawn: false });
  expect(withFixedChance(() => Math.random() < 1)).toEqual({
    result: true,
    isDrawn: true,
  });
  expect(() =>
    withFixedChance(() => {
      throw new Error('No rule');
    }),
  ).toThrow('No rule');
  expect(Math.random).toBe(random);
});

describe('a context without a user', () => {
  const suite = flagsSuite('sqlite');
  const rollout = (share: number, more: object = {}) => ({
    name: 'flexibleRollout',
    parameters: { rollout: String(share), stickiness: 'default', ...more },
  });
  const create = (name: string, ...strategies: object[]) =>
    suite.calls.create(name, { enabled: true, strategies });
  const explain = async (name: string, context: object = {}) => {
    const path = `/projects/default/features/${name}/environments/${ENVIRONMENT}/playground`;
    return (await suite.calls.admin('POST', path, { context })).body;
  };
  const tabulate = async (context: object = {}) => {
    const { body } = await suite.calls.admin('POST', '/playground/features', {
      environments: [ENVIRONMENT],
      context,
    });
    return body.features.map(
      ({ name, results }: { name: string; results: object[] }) => ({
        name,
        ...results[0],
      }),
    );
  };

  it('gets the same random result in the table and in the explanation, whose parts agree', async () => {
    const names = Array.from({ length: 12 }, (_, index) => `flag-${index}`);
    for (const name of names) {
      await create(name, rollout(50, { groupId: name }));
    }
    const table = await tabulate();
    expect(await tabulate()).toEqual(table);
    expect(
      new Set(table.map((row: { enabled: boolean }) => row.enabled)),
    ).toEqual(new Set([true, false]));
    for (const { name, enabled, random } of table) {
      expect(random).toBe(true);
      const explained = await explain(name);
      expect(explained).toMatchObject({
        enabled,
        random: true,
        strategies: [{ enabled, rollout: enabled }],
      });
      // Simulated users get the percentage, not the same result.
      const { simulation } = explained;
      const share = simulation.enabled / simulation.users;
      expect(share).toBeGreaterThan(0.4);
      expect(share).toBeLessThan(0.6);
    }
  });

  it('gets results that are not random where chance decides nothing', async () => {
    await create('all', rollout(100));
    await create('none', rollout(0));
    await create('elsewhere', {
      ...rollout(50),
      constraints: [{ contextName: 'region', operator: 'IN', values: ['eu'] }],
    });
    const inEurope = {
      ...rollout(10),
      constraints: [{ contextName: 'region', operator: 'IN', values: ['eu'] }],
    };
    await create('first-of-two', inEurope, rollout(100));
    await create('anyway', rollout(50), rollout(100));
    const stickyVariants = ['red', 'blue'].map(name => ({
      name,
      weight: 500,
      stickiness: 'tenant',
    }));
    await create('variant', { ...rollout(100), variants: stickyVariants });
    await create('half-parent', rollout(50, { stickiness: 'random' }));
    await create('off', { ...rollout(0) });
    const child = (name: string, parents: string[]) =>
      suite.calls.create(name, {
        enabled: true,
        strategies: [rollout(50)],
        dependencies: parents.map(feature => ({ feature })),
      });
    await child('child', ['half-parent', 'off']);
    for (const { name, random } of await tabulate({ tenant: 'acme' })) {
      expect([name, random]).toEqual([name, name === 'half-parent']);
    }
    await create('half', rollout(50));
    expect(await explain('half', { userId: 'ada' })).toMatchObject({
      random: false,
    });
    expect(await explain('half', { sessionId: '1' })).toMatchObject({
      random: false,
    });
  });

  it('gets random results of random percentages, variants and parents', async () => {
    await create('dice', rollout(50, { stickiness: 'random' }));
    await create('old', {
      name: 'gradualRolloutRandom',
      parameters: { percentage: '30' },
    });
    await create('variants', {
      ...rollout(100),
      variants: ['red', 'blue'].map(name => ({
        name,
        weight: 500,
        stickiness: 'random',
      })),
    });
    await suite.calls.create('child', {
      enabled: true,
      strategies: [],
      dependencies: [{ feature: 'dice' }],
    });
    const context = { userId: 'ada' };
    for (const { name, random } of await tabulate(context)) {
      expect([name, random]).toEqual([name, true]);
    }
    expect(await explain('child', context)).toMatchObject({ random: true });
  });
});
