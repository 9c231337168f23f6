import { flagsSuite } from '../__testUtils__/flagsSuite.ts';
import { FRONTEND_TOKEN } from '../__testUtils__/startFeatureFlags.ts';

/** Parents that keep a flag off are stored, because imports contain them too, and reported as problems. */
describe('parent flags that cannot be evaluated', () => {
  const suite = flagsSuite('sqlite');

  const problemsOf = async (name: string) => {
    const { body } = await suite.calls.admin('GET', `/features/${name}`);
    return body.problems as { field: string; message: string }[] | undefined;
  };
  const namesOn = async () => {
    const { body } = await suite.calls.send('GET', '/api/frontend?userId=1', {
      token: FRONTEND_TOKEN,
    });
    return body.toggles.map(({ name }: { name: string }) => name);
  };
  const apply = (dependencies: object[]) =>
    suite.calls.admin('POST', '/definitions/apply', {
      version: 1,
      flags: [{ name: 'a', dependencies }],
    });

  beforeEach(async () => {
    for (const name of ['a', 'b', 'free']) {
      await suite.calls.create(name, { enabled: true });
    }
    await suite.calls.admin('PATCH', '/features/b', {
      dependencies: [{ feature: 'a' }],
    });
  });

  it.each([
    ['itself', [{ feature: 'a' }], 'A flag cannot depend on itself'],
    ['its child', [{ feature: 'b' }], 'b depends on a'],
    [
      'opposite states',
      [{ feature: 'free' }, { feature: 'free', enabled: false }],
      'free cannot be on and off at once',
    ],
  ])(
    'keep a flag off that depends on %s by PATCH, PUT or a file',
    async (_what, dependencies, reason) => {
      const { admin } = suite.calls;
      const message = `${reason}: this one is always off`;
      expect(await namesOn()).toEqual(['a', 'b', 'free']);
      for (const { change, warns } of [
        { change: () => admin('PATCH', '/features/a', { dependencies }) },
        {
          change: () =>
            admin('PUT', '/projects/default/features/a', { dependencies }),
        },
        { change: () => apply(dependencies), warns: true },
      ]) {
        const { status, body } = await change();
        expect(status).toBe(200);
        expect(await namesOn()).not.toContain('a');
        const field = 'dependencies.0.feature';
        expect((await problemsOf('a'))?.[0]).toEqual({ field, message });
        const warning = JSON.stringify(body.warnings ?? []);
        expect(warning.includes(message)).toBe(warns ?? false);
        await admin('PATCH', '/features/a', { dependencies: [] });
        expect(await namesOn()).toContain('a');
      }
    },
  );

  it('turn a flag off whose parent is missing; files with such a flag are refused', async () => {
    const dependencies = [{ feature: 'gone' }];
    await suite.calls.admin('PATCH', '/features/a', { dependencies });
    expect(await problemsOf('a')).toMatchObject([
      { message: 'Flag gone does not exist: this one is always off' },
    ]);
    expect(await namesOn()).not.toContain('a');
    const applied = await apply(dependencies);
    expect([applied.status, applied.body.message]).toEqual([
      400,
      expect.stringContaining('The parent flag gone does not exist'),
    ]);
  });

  it('are listed if SDKs ignore their variants', async () => {
    await suite.calls.admin('PATCH', '/features/a', {
      dependencies: [{ feature: 'free', enabled: false, variants: ['x'] }],
    });
    expect(await problemsOf('a')).toEqual([
      {
        field: 'dependencies.0.variants',
        message: 'The variants are ignored, because free must be off',
      },
    ]);
  });
});
