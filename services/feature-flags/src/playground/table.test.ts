import { flagsSuite } from '../__testUtils__/flagsSuite.ts';
import {
  CLIENT_TOKEN,
  FRONTEND_TOKEN,
} from '../__testUtils__/startFeatureFlags.ts';

const PATH = '/playground/features';

describe('the playground of all flags', () => {
  const suite = flagsSuite('sqlite');
  const ask = (body: object) => suite.calls.admin('POST', PATH, body);
  /** Creates many flags at once, some of which are on. */
  const define = async (
    names: readonly string[],
    isOn: (index: number) => boolean = () => true,
  ) => {
    const { status } = await suite.calls.admin('POST', '/definitions/apply', {
      version: 1,
      flags: names.map((name, index) => ({
        name,
        environments: {
          development: {
            enabled: isOn(index),
            strategies: [{ name: 'default' }],
          },
        },
      })),
    });
    expect(status).toBe(200);
  };
  const ruleOf = (field: string, values: string[], more: object = {}) => ({
    name: 'default',
    parameters: {},
    constraints: [{ contextName: field, operator: 'IN', values }],
    ...more,
  });

  it('evaluates each flag in each environment and context, as the frontend API does', async () => {
    const { admin, create, send } = suite.calls;
    const segment = await admin('POST', '/segments', {
      name: 'eu',
      constraints: [{ contextName: 'region', operator: 'IN', values: ['eu'] }],
    });
    await create('parent', { strategies: [ruleOf('userId', ['ada'])] });
    await admin('POST', '/features/parent/toggle/on');
    await create('child', {
      enabled: true,
      strategies: [],
      dependencies: [{ feature: 'parent' }],
    });
    await create('shop', {
      enabled: true,
      strategies: [
        {
          name: 'default',
          parameters: {},
          segments: [segment.body.id],
          variants: [{ name: 'red', weight: 1_000, stickiness: 'default' }],
        },
      ],
    });
    const { status, body } = await ask({
      environments: ['development', 'production'],
      context: { userId: 'ada, bob', properties: { region: 'eu' } },
    });
    expect(status).toBe(200);
    const contextOf = (userId: string) => ({
      userId,
      properties: { region: 'eu' },
    });
    expect(body.columns).toEqual([
      { environment: 'development', context: contextOf('ada') },
      { environment: 'development', context: contextOf('bob') },
      { environment: 'production', context: contextOf('ada') },
      { environment: 'production', context: contextOf('bob') },
    ]);
    const cell = (enabled: boolean, reason: string, variant?: string) => ({
      enabled,
      variant: variant ?? null,
      reason,
      random: false,
    });
    const off = cell(false, 'turned off');
    expect(body.features).toEqual([
      {
        name: 'child',
        project: 'default',
        results: [cell(true, 'no rules'), cell(false, 'parent flag'), off, off],
      },
      {
        name: 'parent',
        project: 'default',
        results: [
          cell(true, 'matching rule'),
          cell(false, 'no matching rule'),
          off,
          off,
        ],
      },
      {
        name: 'shop',
        project: 'default',
        results: [
          cell(true, 'matching rule', 'red'),
          cell(true, 'matching rule', 'red'),
          off,
          off,
        ],
      },
    ]);
    const frontend = await send(
      'GET',
      '/api/frontend?userId=bob&properties[region]=eu',
      { token: FRONTEND_TOKEN },
    );
    expect(frontend.body.toggles).toMatchObject([
      { name: 'shop', variant: { name: 'red' } },
    ]);
  });

  it('evaluates the flags of the chosen projects, without archived ones', async () => {
    const { admin, create } = suite.calls;
    await admin('POST', '/projects', { id: 'pay', name: 'Pay' });
    await create('invoices', { project: 'pay' });
    await create('refunds', { project: 'pay' });
    await create('shop');
    await admin('DELETE', '/features/refunds');
    const namesIn = async (projects?: string[]) => {
      const { body } = await ask({ environments: ['development'], projects });
      return body.features.map(({ name }: { name: string }) => name);
    };
    expect(await namesIn(['pay'])).toEqual(['invoices']);
    expect(await namesIn(['pay', 'default'])).toEqual(['invoices', 'shop']);
    expect(await namesIn()).toEqual(['invoices', 'shop']);
  });

  it('returns contexts as it understood them, which the playground of one flag takes', async () => {
    const { admin, create } = suite.calls;
    await create('shop', {
      enabled: true,
      strategies: [ruleOf('plan', ['gold'])],
    });
    const { body } = await ask({
      environments: ['development'],
      context: {
        userId: 7,
        sessionId: 's'.repeat(300),
        currentTime: 'Sat, 28 Nov 2026 10:00:00 GMT',
        plan: 'free, gold',
      },
    });
    const common = {
      userId: '7',
      sessionId: 's'.repeat(200),
      currentTime: '2026-11-28T10:00:00.000Z',
    };
    const contexts = body.columns.map(
      ({ context }: { context: object }) => context,
    );
    expect(contexts).toEqual([
      { ...common, properties: { plan: 'free' } },
      { ...common, properties: { plan: 'gold' } },
    ]);
    expect(body.features[0].results).toMatchObject([
      { enabled: false },
      { enabled: true },
    ]);
    const one = await admin(
      'POST',
      '/projects/default/features/shop/environments/development/playground',
      { context: contexts[1] },
    );
    expect(one.body).toMatchObject({ enabled: true, reason: 'matching rule' });
  });

  it('evaluates more flags than the thread gets at once, in their order', async () => {
    const names = Array.from(
      { length: 120 },
      (_, index) => `flag-${String(index).padStart(3, '0')}`,
    );
    await define(names, index => index % 7 === 0);
    const { body } = await ask({
      environments: ['development'],
      context: { userId: 'ada' },
    });
    expect(
      body.features.map(
        (flag: { name: string; results: { enabled: boolean }[] }) => [
          flag.name,
          flag.results[0].enabled,
        ],
      ),
    ).toEqual(names.map((name, index) => [name, index % 7 === 0]));
  });

  it('refuses more results than it can give, and names the field', async () => {
    const users = Array.from({ length: 200 }, (_, index) => `u${index}`);
    const userId = users.join(',');
    const tooMany = await ask({
      environments: ['development', 'production'],
      context: { userId },
    });
    expect([tooMany.status, tooMany.body.message]).toEqual([
      400,
      'context must not have more than 100 combinations of values in these environments',
    ]);
    await define(Array.from({ length: 151 }, (_, index) => `flag-${index}`));
    const tooLarge = await ask({
      environments: ['development'],
      context: { userId },
    });
    expect([tooLarge.status, tooLarge.body.message]).toEqual([
      400,
      'context must not make more than 30000 results; 151 flags × 200 combinations of environments and values make 30200',
    ]);
    await suite.calls.admin('DELETE', '/features/flag-0');
    const large = await ask({
      environments: ['development'],
      context: { userId },
    });
    expect(large.body.features).toHaveLength(150);
    expect(large.body.features[0].results).toHaveLength(200);
  });

  it('names what is invalid', async () => {
    const messageOf = async (body: object) => {
      const answer = await ask(body);
      expect(answer.status).toBe(400);
      return answer.body.message;
    };
    const environments = ['development'];
    expect(await messageOf({ environments: ['nowhere'] })).toBe(
      'environments.0 must be an existing environment: nowhere does not exist',
    );
    expect(await messageOf({ environments, projects: ['*', 'none'] })).toBe(
      'projects.1 must be an existing project: none does not exist',
    );
    expect(
      await messageOf({ environments, context: { properties: { a: {} } } }),
    ).toBe('context.properties.a must be of type string');
    expect(await messageOf({})).toMatch(/^environments /);
    expect(await messageOf({ environments: [] })).toMatch(/^environments /);
    expect(await messageOf({ environments, context: 'ada' })).toMatch(
      /^context /,
    );
    expect(await messageOf({ environments, flags: ['shop'] })).toMatch(/flags/);
  });

  it('is for admin tokens and users of the portal', async () => {
    const payload = { environments: ['development'] };
    const url = `/api/admin${PATH}`;
    const anonymous = await suite.calls.send('POST', url, { payload });
    expect(anonymous.status).toBe(401);
    const client = await suite.calls.send('POST', url, {
      payload,
      token: CLIENT_TOKEN,
    });
    expect(client.status).toBe(403);
  });
});
