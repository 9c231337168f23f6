import { testDatabaseClients } from '@slipway/service-kit/testing';
import { anError, flagsSuite, TIME } from '../__testUtils__/flagsSuite.ts';

describe.each(testDatabaseClients())('changing a flag on %s', client => {
  const suite = flagsSuite(client);

  describe('toggling', () => {
    it('returns 200 with the flag, also when repeated, and clients see it at once', async () => {
      await suite.calls.create('checkout');
      for (const state of ['on', 'on', 'off', 'on'] as const) {
        const response = await suite.calls.admin(
          'POST',
          `/features/checkout/toggle/${state}`,
        );
        expect(response.status).toBe(200);
        expect(response.body).toMatchObject({
          name: 'checkout',
          enabled: state === 'on',
        });
        expect(await suite.calls.features()).toMatchObject([
          { name: 'checkout', enabled: state === 'on' },
        ]);
      }
      const { body } = await suite.calls.admin(
        'GET',
        '/events?featureName=checkout',
      );
      // Setting the present state again is not recorded.
      expect(body.events.map(({ type }: { type: string }) => type)).toEqual([
        'feature-updated',
        'feature-updated',
        'feature-updated',
        'feature-created',
      ]);
    });

    it('returns 404 for an unknown flag, an unknown state and an archived flag', async () => {
      const unknown = await suite.calls.admin(
        'POST',
        '/features/none/toggle/on',
      );
      expect(unknown.status).toBe(404);
      expect(unknown.body).toEqual(
        anError('NotFoundError', 'Flag none not found'),
      );
      await suite.calls.create('old');
      const state = await suite.calls.admin(
        'POST',
        '/features/old/toggle/maybe',
      );
      expect(state.status).toBe(404);
      await suite.calls.admin('DELETE', '/features/old');
      const archived = await suite.calls.admin(
        'POST',
        '/features/old/toggle/on',
      );
      expect(archived.status).toBe(404);
    });

    it('returns 405 with Allow for another method', async () => {
      const response = await suite.calls.admin('GET', '/features/a/toggle/on');
      expect([response.status, response.headers.allow]).toEqual([405, 'POST']);
      expect(response.body.name).toBe('MethodNotAllowedError');
    });
  });

  it('changes only the given fields, archives and revives', async () => {
    await suite.calls.create('search', {
      enabled: true,
      description: 'Before',
    });
    const changed = await suite.calls.admin('PATCH', '/features/search', {
      stale: true,
      strategies: [{ name: 'flexibleRollout', parameters: { rollout: '25' } }],
    });
    expect(changed.status).toBe(200);
    expect(changed.body).toMatchObject({
      description: 'Before',
      enabled: true,
      stale: true,
      strategies: [{ name: 'flexibleRollout', parameters: { rollout: '25' } }],
    });

    const archived = await suite.calls.admin('DELETE', '/features/search');
    expect([archived.status, archived.body.archived]).toEqual([200, true]);
    expect(await suite.calls.features()).toEqual([]);
    const { body: inUse } = await suite.calls.admin('GET', '/features');
    expect(inUse.features).toEqual([]);
    const { body: old } = await suite.calls.admin(
      'GET',
      '/features?archived=true',
    );
    expect(old.features).toHaveLength(1);

    const revived = await suite.calls.admin('POST', '/archive/revive/search');
    expect(revived.body).toMatchObject({ archived: false, enabled: false });
    expect(await suite.calls.features()).toMatchObject([{ name: 'search' }]);
  });

  it('lists who changed what, and the previous values', async () => {
    await suite.calls.create('search');
    await suite.calls.admin('PATCH', '/features/search', {
      description: 'After',
    });
    const { status, body } = await suite.calls.admin(
      'GET',
      '/events?featureName=search&limit=1',
    );
    expect(status).toBe(200);
    expect(body.events).toEqual([
      {
        id: expect.any(Number),
        type: 'feature-updated',
        featureName: 'search',
        environment: 'development',
        createdBy: 'token:test-admin',
        createdAt: expect.stringMatching(TIME),
        preData: expect.objectContaining({ description: '' }),
        data: expect.objectContaining({ description: 'After' }),
      },
    ]);
    const { body: older } = await suite.calls.admin(
      'GET',
      `/events?before=${body.events[0].id}`,
    );
    expect(older.events).toMatchObject([
      { type: 'feature-created', preData: null },
    ]);
    // Beyond the range of ids in either database.
    const beyond = await suite.calls.admin('GET', '/events?before=1e20');
    expect(beyond.status).toBe(400);
  });
});
