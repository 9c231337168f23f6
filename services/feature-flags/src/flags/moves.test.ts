import { testDatabaseClients } from '@slipway/service-kit/testing';
import { portalSuite } from '../__testUtils__/portalSuite.ts';
import { ADMIN_TOKEN } from '../__testUtils__/startFeatureFlags.ts';

interface DeltaEvent {
  type: string;
  featureName?: string;
  project?: string;
  feature?: { name: string };
}

describe.each(testDatabaseClients())('moving a flag on %s', client => {
  const suite = portalSuite(client);
  const { ada, bob } = suite;

  const move = (to: string, { from = 'default', as = ada } = {}) =>
    as('POST', `/projects/${from}/features/checkout/changeProject`, {
      newProjectId: to,
    });

  const tokenOf = async (...projects: string[]) =>
    (
      await ada('POST', '/api-tokens', {
        tokenName: projects.join(' and '),
        type: 'client',
        projects,
      })
    ).body.secret as string;

  const delta = async (token: string, etag?: string) => {
    const { body, headers } = await suite.calls.send(
      'GET',
      '/api/client/delta',
      { token, headers: etag ? { 'if-none-match': etag } : {} },
    );
    return {
      etag: String(headers.etag),
      events: (body?.events ?? []) as DeltaEvent[],
    };
  };

  const revisionFor = async (token: string) =>
    (await suite.calls.send('GET', '/api/client/features', { token })).body.meta
      .revisionId as number;

  beforeEach(async () => {
    await suite.calls.create('checkout', { enabled: true });
    await ada('POST', '/projects', { id: 'shop' });
  });

  it('takes it from the SDKs of one project, and gives it to those of the other', async () => {
    const [ofDefault, ofShop, ofBoth] = [
      await tokenOf('default'),
      await tokenOf('shop'),
      await tokenOf('default', 'shop'),
    ];
    const before = {
      default: await delta(ofDefault),
      shop: await delta(ofShop),
      both: await delta(ofBoth),
    };
    const seen = await revisionFor(ofDefault);
    const moved = await move('shop');
    expect([moved.status, moved.body.project]).toEqual([200, 'shop']);
    expect(await suite.calls.features(ofDefault)).toEqual([]);
    expect(await suite.calls.features(ofShop)).toMatchObject([
      { name: 'checkout', project: 'shop' },
    ]);
    // SDKs follow revisions, which never decrease.
    expect(await revisionFor(ofDefault)).toBeGreaterThan(seen);

    // The same for an SDK that was disconnected during a restart.
    await suite.restart();
    const removed = [
      { type: 'feature-removed', featureName: 'checkout', project: 'default' },
    ];
    const updated = [
      { type: 'feature-updated', feature: { name: 'checkout' } },
    ];
    const after = await delta(ofDefault, before.default.etag);
    expect(after.events).toMatchObject(removed);
    expect((await delta(ofShop, before.shop.etag)).events).toMatchObject(
      updated,
    );
    expect((await delta(ofBoth, before.both.etag)).events).toMatchObject(
      updated,
    );
    // Later changes are not visible to them.
    await ada('POST', '/features/checkout/toggle/off');
    expect((await delta(ofDefault, after.etag)).events).toEqual([]);

    await move('default', { from: 'shop' });
    expect((await delta(ofDefault, after.etag)).events).toMatchObject(updated);
  });

  it('is recorded, and can be rolled back', async () => {
    await move('shop');
    const { body } = await ada('GET', '/events?featureName=checkout&limit=1');
    const [event] = body.events;
    expect(event).toMatchObject({
      createdBy: 'user:default/ada',
      preData: { project: 'default' },
      data: { project: 'shop' },
    });
    const undone = await ada('POST', `/events/${event.id}/rollback`);
    expect([undone.status, undone.body.project]).toEqual([200, 'default']);
    await ada('POST', '/projects', { id: 'depot' });
    await move('depot');
    const late = await ada('POST', `/events/${event.id}/rollback`);
    expect([late.status, late.body.message]).toEqual([
      409,
      'project has changed since',
    ]);
  });

  it('needs the permission for both projects', async () => {
    await ada('PUT', '/projects/default', { owner: 'user:default/bob' });
    expect((await move('shop', { as: bob })).status).toBe(403);
    await ada('PUT', '/projects/shop', { owner: 'user:default/bob' });
    expect((await move('shop', { as: bob })).status).toBe(200);
    await ada('PUT', '/projects/default', { owner: null });
    const { body } = await bob('GET', '/events?featureName=checkout&limit=1');
    const back = await bob('POST', `/events/${body.events[0].id}/rollback`);
    expect(back.status).toBe(403);
    await ada('PUT', '/projects/shop', { owner: null });
    expect((await move('default', { from: 'shop', as: bob })).status).toBe(403);
  });

  it('is refused to an unknown project, from a wrong one, and where others would have to approve it', async () => {
    const unknown = await move('nowhere');
    expect([unknown.status, unknown.body.message]).toEqual([
      400,
      'Project nowhere not found',
    ]);
    expect((await move('shop', { from: 'shop' })).status).toBe(404);
    const stale = await suite.calls.send(
      'POST',
      '/api/admin/projects/default/features/checkout/changeProject',
      {
        token: ADMIN_TOKEN,
        headers: { 'if-match': '"0"' },
        payload: { newProjectId: 'shop' },
      },
    );
    expect(stale.status).toBe(412);
    await ada(
      'POST',
      '/projects/default/features/checkout/environments/production/on',
    );
    await ada('PUT', '/environments/production', { protected: true });
    const guarded = await move('shop');
    expect([guarded.status, guarded.body.message]).toEqual([
      403,
      'checkout is on in production, which is protected: turn it off there first',
    ]);
  });

  it('can be done in a file of definitions', async () => {
    const definitions = {
      version: 1,
      flags: [{ name: 'checkout', project: 'shop' }],
    };
    const { body } = await ada('POST', '/definitions/diff', definitions);
    expect(body.changes.updated).toEqual([
      {
        name: 'checkout',
        fields: [{ field: 'project', from: 'default', to: 'shop' }],
      },
    ]);
    await ada('POST', '/definitions/apply', definitions);
    const moved = await ada('GET', '/projects/shop/features/checkout');
    expect(moved.status).toBe(200);
  });
});
