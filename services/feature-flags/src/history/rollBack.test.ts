import { testDatabaseClients } from '@slipway/service-kit/testing';
import { portalSuite } from '../__testUtils__/portalSuite.ts';

const DEVELOPMENT =
  '/projects/default/features/checkout/environments/development';

const rollout = (percentage: number) => ({
  name: 'flexibleRollout',
  parameters: {
    rollout: String(percentage),
    stickiness: 'default',
    groupId: 'checkout',
  },
});

describe.each(testDatabaseClients())('undoing a change on %s', client => {
  const suite = portalSuite(client);

  /** The id of the latest change of the flag. */
  const latest = async () =>
    (await suite.ada('GET', '/events?featureName=checkout&limit=1')).body
      .events[0].id as number;
  const undo = (id: number) => suite.ada('POST', `/events/${id}/rollback`);
  const flag = async () => (await suite.ada('GET', '/features/checkout')).body;

  it('restores the previous values of fields, and keeps later changes', async () => {
    await suite.calls.create('checkout', { strategies: [rollout(10)] });
    await suite.ada('PATCH', '/features/checkout', {
      strategies: [rollout(100)],
      description: 'For all',
    });
    const mistake = await latest();
    await suite.ada('POST', '/features/checkout/toggle/on');
    const added = await suite.ada('POST', `${DEVELOPMENT}/strategies`, {
      name: 'default',
      constraints: [{ contextName: 'region', operator: 'IN', values: ['eu'] }],
    });
    const undone = await undo(mistake);
    expect(undone.status).toBe(200);
    expect(await flag()).toMatchObject({
      description: '',
      enabled: true,
      strategies: [rollout(10), { name: 'default' }],
    });
    // A rollback is a change like any other, and can be rolled back too.
    expect((await undo(await latest())).status).toBe(200);
    expect(await flag()).toMatchObject({
      description: 'For all',
      strategies: [rollout(100), { name: 'default' }],
    });
    expect(added.status).toBe(200);
  });

  it('is refused if the same field has changed since, and for events that cannot be undone', async () => {
    await suite.calls.create('checkout');
    const creation = await latest();
    await suite.ada('PATCH', '/features/checkout', { description: 'One' });
    const first = await latest();
    await suite.ada('PATCH', '/features/checkout', { description: 'Two' });
    const late = await undo(first);
    expect([late.status, late.body.message]).toEqual([
      409,
      'description has changed since',
    ]);
    expect((await undo(creation)).status).toBe(409);
    expect((await undo(99_999)).status).toBe(404);
    const bob = await suite.bob('POST', `/events/${first}/rollback`);
    expect(bob.status).toBe(403);
  });

  it('restores an archived flag', async () => {
    await suite.calls.create('checkout');
    await suite.ada('DELETE', '/features/checkout');
    expect((await undo(await latest())).status).toBe(200);
    expect(await flag()).toMatchObject({ archived: false });
    expect((await undo(await latest())).status).toBe(200);
    expect(await flag()).toMatchObject({ archived: true });
  });

  it('requires approval in a protected environment', async () => {
    await suite.calls.create('checkout');
    const path = '/projects/default/features/checkout/environments/production';
    await suite.ada('POST', `${path}/on`);
    await suite.ada('PUT', '/environments/production', { protected: true });
    const undone = await undo(await latest());
    expect(undone.status).toBe(202);
    expect(undone.body.changeRequest.change).toMatchObject({
      before: { enabled: true },
      after: { enabled: false },
    });
    expect((await suite.ada('GET', path)).body.enabled).toBe(true);
  });

  it('restores the settings that need no approval at once', async () => {
    const file = (description: string, enabled: boolean) => ({
      version: 1,
      flags: [
        {
          name: 'checkout',
          description,
          environments: { production: { enabled, strategies: [rollout(10)] } },
        },
      ],
    });
    await suite.ada('POST', '/definitions/apply', file('One', false));
    await suite.ada('POST', '/definitions/apply', file('Two', true));
    const both = await latest();
    await suite.ada('POST', '/definitions/apply', file('Three', true));
    const settings = await latest();
    await suite.ada('PUT', '/environments/production', { protected: true });
    expect((await undo(settings)).status).toBe(200);
    expect(await flag()).toMatchObject({ description: 'Two' });
    const undone = await undo(both);
    expect(undone.status).toBe(202);
    expect(undone.body.changeRequest.change.after.enabled).toBe(false);
    expect(await flag()).toMatchObject({ description: 'One' });
  });

  it('rolls back nothing in a protected environment if a part of it is refused', async () => {
    const apply = (settings: object, enabled: boolean, percentage: number) =>
      suite.ada('POST', '/definitions/apply', {
        version: 1,
        flags: [
          {
            name: 'checkout',
            ...settings,
            environments: {
              production: { enabled, strategies: [rollout(percentage)] },
            },
          },
        ],
      });
    await apply({ description: 'One' }, true, 10);
    await apply({ description: 'Two' }, true, 100);
    const both = await latest();
    await suite.calls.create('parent');
    const dependencies = [{ feature: 'parent', enabled: true }];
    await apply({ description: 'Two', dependencies }, true, 50);
    const linked = await latest();
    await suite.ada('PUT', '/environments/production', { protected: true });
    expect((await undo(both)).status).toBe(409);
    expect((await undo(linked)).status).toBe(403);
    expect(await flag()).toMatchObject({ description: 'Two', dependencies });
    const requests = await suite.ada('GET', '/change-requests');
    expect(requests.body.changeRequests).toEqual([]);
  });
});
