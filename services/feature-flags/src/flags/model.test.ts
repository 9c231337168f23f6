import { testDatabaseClients } from '@slipway/service-kit/testing';
import { anError, flagsSuite, TIME } from '../__testUtils__/flagsSuite.ts';
import {
  ADMIN_TOKEN,
  callsTo,
  startFeatureFlags,
} from '../__testUtils__/startFeatureFlags.ts';

describe.each(testDatabaseClients())('the model on %s', client => {
  const suite = flagsSuite(client);
  const admin = (...call: Parameters<typeof suite.calls.admin>) =>
    suite.calls.admin(...call);

  /** A token for the flags of one environment. */
  const tokenOf = async (environment: string) =>
    (
      await admin('POST', '/api-tokens', {
        tokenName: environment,
        type: 'client',
        environment,
      })
    ).body.secret;

  const read = async (token: string, spec?: string) => {
    const response = await suite.calls.send('GET', '/api/client/features', {
      token,
      headers: spec ? { 'unleash-client-spec': spec } : {},
    });
    return { ...response.body, etag: response.headers.etag };
  };

  it('has any number of environments, each with its own state of a flag', async () => {
    const made = await admin('POST', '/environments', {
      name: 'staging',
      type: 'preproduction',
    });
    expect(made.status).toBe(201);
    expect((await admin('POST', '/environments', made.body)).status).toBe(409);
    await suite.calls.create('checkout', { enabled: true });
    const path = '/projects/default/features/checkout/environments/staging';
    const added = await admin('POST', `${path}/strategies`, {
      name: 'flexibleRollout',
      title: 'A quarter',
      parameters: { rollout: '25', stickiness: 'default', groupId: 'checkout' },
    });
    expect(added.status).toBe(200);
    expect(added.body).toEqual({
      id: expect.any(String),
      name: 'flexibleRollout',
      title: 'A quarter',
      disabled: false,
      sortOrder: 0,
      parameters: { rollout: '25', stickiness: 'default', groupId: 'checkout' },
      constraints: [],
      segments: [],
      variants: [],
    });

    const [development, staging] = [
      await tokenOf('development'),
      await tokenOf('staging'),
    ];
    const before = await read(development);
    expect((await read(staging)).features).toMatchObject([{ enabled: false }]);
    expect((await admin('POST', `${path}/on`)).body).toMatchObject({
      name: 'staging',
      enabled: true,
    });
    expect((await read(staging)).features).toMatchObject([
      { enabled: true, strategies: [{ name: 'flexibleRollout' }] },
    ]);
    // A change in one environment does not change the entity tags of others.
    expect(await read(development)).toEqual(before);

    const { body } = await admin('GET', '/projects/default/features/checkout');
    expect(
      body.environments.map(
        ({ name, enabled }: { name: string; enabled: boolean }) => [
          name,
          enabled,
        ],
      ),
    ).toEqual(
      expect.arrayContaining([
        ['development', true],
        ['production', false],
        ['staging', true],
      ]),
    );
    expect((await admin('DELETE', '/environments/staging')).status).toBe(409);
    const unknown = path.replace('staging', 'nowhere');
    expect((await admin('POST', `${unknown}/on`)).status).toBe(404);
    const token = await admin('GET', '/api-tokens');
    for (const { id, environment } of token.body.tokens) {
      if (environment === 'staging') {
        await admin('DELETE', `/api-tokens/${id}`);
      }
    }
    expect((await admin('DELETE', '/environments/staging')).status).toBe(200);
    expect((await admin('DELETE', '/environments/development')).status).toBe(
      409,
    );
  });

  it('changes strategies one by one, and is off without the last one', async () => {
    await suite.calls.create('checkout', { enabled: true, strategies: [] });
    const path = '/projects/default/features/checkout/environments/development';
    const add = async (name: string) =>
      (await admin('POST', `${path}/strategies`, { name })).body.id as string;
    const [first, second] = [await add('default'), await add('userWithId')];
    const names = async () =>
      (await admin('GET', `${path}/strategies`)).body.map(
        ({ name }: { name: string }) => name,
      );
    await admin('POST', `${path}/strategies/set-sort-order`, [
      { id: first, sortOrder: 2 },
      { id: second, sortOrder: 1 },
    ]);
    expect(await names()).toEqual(['userWithId', 'default']);
    const one = await admin('GET', `${path}/strategies/${second}`);
    expect([one.status, one.body.id, one.body.sortOrder]).toEqual([
      200,
      second,
      0,
    ]);
    expect((await admin('GET', `${path}/strategies/none`)).status).toBe(404);
    const changed = await admin('PATCH', `${path}/strategies/${second}`, {
      disabled: true,
    });
    expect(changed.body).toMatchObject({ name: 'userWithId', disabled: true });
    // Fields that no SDK knows are not stored.
    const unknown = await admin('PATCH', `${path}/strategies/${second}`, {
      onlyFor: 'ada',
    });
    expect(unknown.status).toBe(400);
    // Clients may send back all fields that they have read.
    const { etag, ...state } = (await admin('GET', path)).body;
    const sentBack = { ...state, enabled: false, etag };
    const off = await admin('PATCH', path, sentBack);
    expect([off.status, off.body.enabled]).toEqual([200, false]);
    await admin('PATCH', path, { enabled: true });
    const [shown] = await suite.calls.features();
    expect(shown).toMatchObject({ strategies: [{ name: 'default' }] });
    const odd = await admin('PUT', `${path}/strategies/${first}`, {
      name: 'flexibleRollout',
      parameters: { rollout: '150' },
    });
    expect(odd.status).toBe(400);
    await admin('DELETE', `${path}/strategies/${first}`);
    // Only a disabled strategy is left: nobody gets the flag.
    expect(await suite.calls.features()).toMatchObject([{ enabled: false }]);
    const { body } = await admin('DELETE', `${path}/strategies/${second}`);
    expect(body).toMatchObject({ enabled: false, strategies: [] });
    expect((await admin('DELETE', `${path}/strategies/${second}`)).status).toBe(
      404,
    );
  });

  it('takes strategies as it gives them, and puts them where their sort order says', async () => {
    await suite.calls.create('checkout', { strategies: [] });
    const path = '/projects/default/features/checkout/environments/development';
    const add = async (title: string, sortOrder?: number) =>
      (
        await admin('POST', `${path}/strategies`, {
          name: 'default',
          title,
          sortOrder,
        })
      ).body;
    const titles = async () =>
      (await admin('GET', `${path}/strategies`)).body.map(
        ({ title }: { title: string }) => title,
      );
    await add('last');
    await add('first', 0);
    const middle = await add('middle', 1);
    expect(middle.sortOrder).toBe(1);
    // Unleash sends this number to add a strategy at the end.
    expect((await add('end', 9999)).sortOrder).toBe(3);
    expect(await titles()).toEqual(['first', 'middle', 'last', 'end']);

    const own = `${path}/strategies/${middle.id}`;
    const replaced = await admin('PUT', own, { ...middle, disabled: true });
    expect(replaced.body).toEqual({ ...middle, disabled: true });
    await admin('PATCH', own, { sortOrder: 3 });
    expect(await titles()).toEqual(['first', 'last', 'end', 'middle']);
    const other = await admin('PUT', own, { ...middle, id: 'other' });
    expect([other.status, other.body.message]).toEqual([
      400,
      'id must match the path',
    ]);

    const { strategies, variants } = (await admin('GET', path)).body;
    const same = await admin('PATCH', path, { strategies, variants });
    expect([same.status, same.body.strategies]).toEqual([200, strategies]);
    const reversed = await admin('PATCH', path, {
      strategies: strategies.toReversed(),
    });
    expect([reversed.status, reversed.body.message]).toEqual([
      400,
      'strategies.1.sortOrder must follow the order of the list',
    ]);
  });

  it('changes a segment only if it is the one that the caller has read', async () => {
    const made = await admin('POST', '/segments', {
      name: 'Team',
      constraints: [],
    });
    const path = `/api/admin/segments/${made.body.id}`;
    const { headers } = await suite.calls.send('GET', path, {
      token: ADMIN_TOKEN,
    });
    const etag = String(headers.etag);
    expect(made.headers.etag).toBe(etag);
    const list = await admin('GET', '/segments');
    expect(list.body.segments[0].etag).toBe(etag);
    const change = (description: string) =>
      suite.calls.send('PUT', path, {
        token: ADMIN_TOKEN,
        headers: { 'if-match': etag },
        payload: { description },
      });
    const first = await change('Ours');
    expect([first.status, first.body.description]).toEqual([200, 'Ours']);
    expect(first.headers.etag).not.toBe(etag);
    const late = await change('Theirs');
    expect([late.status, late.body.message]).toEqual([
      412,
      'Segment Team has changed since it was read',
    ]);
  });

  it('sends segments by their ids or within the strategies', async () => {
    const constraint = {
      contextName: 'region',
      operator: 'IN',
      values: ['eu'],
    };
    const made = await admin('POST', '/segments', {
      name: 'Europe',
      constraints: [constraint],
    });
    expect(made.status).toBe(201);
    expect(made.body).toEqual({
      id: expect.any(Number),
      name: 'Europe',
      description: '',
      project: null,
      constraints: [constraint],
      createdBy: 'token:test-admin',
      createdAt: expect.stringMatching(TIME),
    });
    const { id } = made.body;
    await suite.calls.create('checkout', {
      enabled: true,
      strategies: [{ name: 'default', segments: [id] }],
    });
    const token = await tokenOf('development');
    for (const spec of [undefined, '4.1.9', 'v5.2.0']) {
      const old = await read(token, spec);
      expect(old).not.toHaveProperty('segments');
      expect(old.features[0].strategies).toEqual([
        { name: 'default', parameters: {}, constraints: [constraint] },
      ]);
    }
    const current = await read(token, '5.2.0');
    expect(current.features[0].strategies).toEqual([
      { name: 'default', parameters: {}, constraints: [], segments: [id] },
    ]);
    expect(current.segments).toEqual([
      { id, name: 'Europe', constraints: [constraint] },
    ]);

    const { body: uses } = await admin('GET', `/segments/${id}/strategies`);
    expect(uses.strategies).toMatchObject([
      { featureName: 'checkout', environment: 'development' },
    ]);
    expect((await admin('DELETE', `/segments/${id}`)).status).toBe(409);
    await admin('PUT', `/segments/${id}`, {
      constraints: [{ ...constraint, values: ['eu', 'uk'] }],
    });
    const changed = await read(token, '5.2.0');
    expect(changed.etag).not.toBe(current.etag);
    expect(changed.segments[0].constraints[0].values).toEqual(['eu', 'uk']);
    const again = await admin('POST', '/segments', {
      name: 'Europe',
      constraints: [],
    });
    expect(again.status).toBe(409);
    await admin('PATCH', '/features/checkout', {
      strategies: [{ name: 'default', segments: [id, 999] }],
    });
    const old = await read(token);
    expect(old.features[0].strategies[0].constraints).toContainEqual({
      contextName: 'userId',
      operator: 'IN',
      values: [],
    });
    await admin('PATCH', '/features/checkout', { strategies: [] });
    expect((await admin('DELETE', `/segments/${id}`)).status).toBe(200);
    expect((await admin('GET', `/segments/${id}`)).status).toBe(404);
  });

  it('has dependencies, tags and links, and context fields with legal values', async () => {
    await suite.calls.create('parent', { enabled: true });
    await suite.calls.create('child', { enabled: true });
    const path = '/projects/default/features/child';
    await admin('POST', `${path}/dependencies`, { feature: 'parent' });
    const twice = await admin('POST', `${path}/dependencies`, {
      feature: 'parent',
      variants: ['blue'],
    });
    const dependency = { feature: 'parent', enabled: true, variants: ['blue'] };
    expect(twice.body.dependencies).toEqual([dependency]);
    const token = await tokenOf('development');
    const { features } = await read(token);
    expect(features[0]).toMatchObject({ dependencies: [dependency] });
    const self = await admin('POST', `${path}/dependencies`, {
      feature: 'child',
    });
    expect(self.status).toBe(400);
    const cycle = await admin(
      'POST',
      '/projects/default/features/parent/dependencies',
      { feature: 'child' },
    );
    expect([cycle.status, cycle.body.message]).toEqual([
      400,
      'feature must not depend on parent, as child does',
    ]);
    await admin('DELETE', '/features/parent');
    const { body: orphan } = await admin('GET', '/features/child');
    expect(orphan.problems).toMatchObject([
      { field: 'dependencies.0.feature' },
    ]);
    await admin('DELETE', `${path}/dependencies/parent`);

    await admin('POST', '/features/child/tags', { value: 'checkout' });
    const { body: tagged } = await admin('PUT', '/features/child/tags', {
      addedTags: [
        { type: 'team', value: 'payments' },
        { type: 'team', value: 'payments' },
      ],
    });
    expect(tagged.tags).toEqual([
      { type: 'simple', value: 'checkout' },
      { type: 'team', value: 'payments' },
    ]);
    const asked = async (tag: string) =>
      (
        await suite.calls.send('GET', `/api/client/features?tag=${tag}`, {
          token,
        })
      ).body;
    expect((await asked('team:payments')).features).toHaveLength(1);
    expect(await asked('team:search')).toMatchObject({
      features: [],
      query: { tag: [['team', 'search']] },
    });
    await admin('DELETE', '/features/child/tags/team/payments');
    expect((await asked('team:payments')).features).toHaveLength(0);

    const linked = await admin('POST', `${path}/link`, {
      url: 'https://example.org/plan',
    });
    expect(linked.body.links).toHaveLength(1);
    const { id } = linked.body.links[0];
    expect((await admin('DELETE', `${path}/link/${id}`)).body.links).toEqual(
      [],
    );

    await admin('POST', '/context', {
      name: 'region',
      legalValues: [{ value: 'eu' }, { value: 'us' }],
    });
    const limited = await admin('PATCH', '/features/child', {
      strategies: [
        {
          name: 'default',
          constraints: [
            { contextName: 'region', operator: 'IN', values: ['eu', 'mars'] },
          ],
        },
      ],
    });
    expect(limited.status).toBe(400);
    expect(limited.body).toEqual(
      anError(
        'BadDataError',
        'strategies.0.constraints.0.values must be legal values of region: eu, us',
      ),
    );
    expect((await admin('DELETE', '/context/userId')).status).toBe(409);
    expect((await admin('DELETE', '/context/region')).status).toBe(200);
  });

  it('has a limited number of strategies, parents, tags and links, however they are added', async () => {
    await suite.calls.create('full', {
      strategies: Array.from({ length: 50 }, () => ({ name: 'default' })),
      dependencies: Array.from({ length: 50 }, (_, index) => ({
        feature: `parent-${index}`,
      })),
      tags: Array.from({ length: 100 }, (_, index) => ({ value: `${index}` })),
    });
    const path = '/projects/default/features/full';
    const refused = async (url: string, payload: object) => {
      const { status, body } = await admin('POST', url, payload);
      return [status, body.message];
    };
    expect(
      await refused(`${path}/environments/development/strategies`, {
        name: 'default',
      }),
    ).toEqual([400, 'strategies must not have more than 50 items']);
    expect(
      await refused(`${path}/dependencies`, { feature: 'another' }),
    ).toEqual([400, 'dependencies must not have more than 50 items']);
    expect(await refused('/features/full/tags', { value: 'another' })).toEqual([
      400,
      'tags must not have more than 100 items',
    ]);
    const url = 'https://example.org';
    for (let link = 0; link < 100; link += 1) {
      await admin('POST', `${path}/link`, { url });
    }
    expect(await refused(`${path}/link`, { url })).toEqual([
      400,
      'links must not have more than 100 items',
    ]);
  });

  it('keeps environments in which a change is planned', async () => {
    await admin('POST', '/environments', { name: 'staging' });
    await suite.calls.create('checkout');
    const path = '/projects/default/features/checkout/environments/staging';
    const at = new Date(Date.now() + 3_600_000).toISOString();
    const { body: schedule } = await admin('POST', `${path}/schedules`, {
      steps: [{ at, enabled: true }],
    });
    const remove = async (name: string) => {
      const { status, body } = await admin('DELETE', `/environments/${name}`);
      return [status, body.message];
    };
    const planned =
      'checkout has an open schedule or change request in staging';
    expect(await remove('staging')).toEqual([409, planned]);
    await admin('POST', `/schedules/${schedule.id}/cancel`);
    await admin('PUT', '/environments/staging', { protected: true });
    const { body } = await admin('POST', `${path}/on`);
    expect(await remove('staging')).toEqual([409, planned]);
    await admin('PUT', `/change-requests/${body.changeRequest.id}/state`, {
      state: 'Cancelled',
    });
    expect((await remove('staging'))[0]).toBe(200);
  });

  it('has projects, whose flags are found only in them', async () => {
    await admin('POST', '/projects', { id: 'payments', name: 'Payments' });
    const made = await admin('POST', '/projects/payments/features', {
      name: 'pay',
    });
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({ name: 'pay', project: 'payments' });
    expect((await admin('GET', '/projects/default/features/pay')).status).toBe(
      404,
    );
    const elsewhere = await admin('DELETE', '/projects/default/features/pay');
    expect(elsewhere.status).toBe(404);
    expect(
      (await admin('POST', '/projects/none/features', made.body)).status,
    ).toBe(404);
    const { body } = await admin('GET', '/projects/payments/features');
    expect(body.features).toHaveLength(1);
    expect((await admin('DELETE', '/projects/payments')).status).toBe(409);
  });

  describe('a change with If-Match', () => {
    const change = (ifMatch: string, payload: object) =>
      suite.calls.send('PATCH', '/api/admin/features/checkout', {
        token: ADMIN_TOKEN,
        headers: { 'if-match': ifMatch },
        payload,
      });

    it('returns 412 once someone else has changed the flag', async () => {
      await suite.calls.create('checkout');
      const { headers } = await admin('GET', '/features/checkout');
      const etag = String(headers.etag);
      const first = await change(etag, {
        strategies: [
          {
            name: 'default',
            constraints: [
              { contextName: 'userId', operator: 'IN', values: ['ada'] },
            ],
          },
        ],
      });
      expect(first.status).toBe(200);
      expect(first.headers.etag).not.toBe(etag);
      const late = await change(etag, { strategies: [{ name: 'default' }] });
      expect(late.status).toBe(412);
      expect(late.body).toEqual(
        anError(
          'PreconditionFailedError',
          'Flag checkout has changed since it was read',
        ),
      );
      const { body } = await admin('GET', '/features/checkout');
      expect(body.strategies[0].constraints).toHaveLength(1);
      // Without `If-Match`, a change is accepted.
      expect(
        (await admin('PATCH', '/features/checkout', { stale: true })).status,
      ).toBe(200);
      expect((await change('*', { stale: false })).status).toBe(200);
    });

    it('accepts one of many concurrent changes', async () => {
      await suite.calls.create('checkout');
      const { headers } = await admin('GET', '/features/checkout');
      const responses = await Promise.all(
        Array.from({ length: 8 }, (_, index) =>
          change(`W/${headers.etag}`, { description: `${index}` }),
        ),
      );
      expect(responses.map(({ status }) => status).sort()).toEqual([
        200, 412, 412, 412, 412, 412, 412, 412,
      ]);
    });

    it('does not apply to another environment', async () => {
      await suite.calls.create('checkout');
      const { headers } = await admin('GET', '/features/checkout');
      await admin(
        'POST',
        '/projects/default/features/checkout/environments/production/on',
      );
      const { status } = await change(String(headers.etag), { enabled: true });
      expect(status).toBe(200);
    });
  });
});

it('keeps the environments of tokens in the configuration', async () => {
  const service = await startFeatureFlags({
    config: {
      tokens: [
        { name: 'admin', type: 'admin', token: ADMIN_TOKEN },
        { name: 'shop', type: 'client', token: '*:live.test-shop-token' },
      ],
    },
  });
  const { status, body } = await callsTo(service).admin(
    'DELETE',
    '/environments/live',
  );
  expect([status, body.message]).toEqual([
    409,
    'Token shop belongs to the environment live',
  ]);
  await service.stop();
});
