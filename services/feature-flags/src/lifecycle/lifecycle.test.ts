import { testDatabaseClients } from '@slipway/service-kit/testing';
import { flagsSuite, TIME } from '../__testUtils__/flagsSuite.ts';

describe.each(testDatabaseClients())(
  'the lifecycle of a flag on %s',
  client => {
    const suite = flagsSuite(client);
    const admin = (...call: Parameters<typeof suite.calls.admin>) =>
      suite.calls.admin(...call);
    const stages = async (): Promise<
      { stage: string; enteredStageAt: string }[]
    > =>
      (await admin('GET', '/projects/default/features/checkout/lifecycle'))
        .body;
    const names = async () => (await stages()).map(({ stage }) => stage);

    const report = async (environment: string, yes: number) => {
      const { body } = await admin('POST', '/api-tokens', {
        tokenName: environment,
        type: 'client',
        environment,
      });
      const { status } = await suite.calls.send('POST', '/api/client/metrics', {
        token: body.secret,
        payload: {
          appName: 'shop',
          bucket: { toggles: { checkout: { yes, no: 1 } } },
        },
      });
      expect(status).toBe(202);
    };

    it('follows from its usage and its marks', async () => {
      await suite.calls.create('checkout');
      expect(await stages()).toEqual([
        { stage: 'initial', enteredStageAt: expect.stringMatching(TIME) },
      ]);
      await report('development', 1);
      expect(await names()).toEqual(['initial', 'pre-live']);
      // Applications in production evaluate it, but do not get it yet.
      await report('production', 0);
      expect(await names()).toEqual(['initial', 'pre-live']);
      await report('production', 1);
      const used = await stages();
      expect(used.at(-1)).toMatchObject({ stage: 'live' });
      const times = used.map(each => each.enteredStageAt);
      expect(times).toEqual([...times].sort());

      await admin('PATCH', '/features/checkout', { stale: true });
      expect((await names()).at(-1)).toBe('completed');
      await admin('PATCH', '/features/checkout', { stale: false });
      expect((await names()).at(-1)).toBe('live');
      await admin('DELETE', '/features/checkout');
      expect((await names()).at(-1)).toBe('archived');
      const list = async (query = '') =>
        (await admin('GET', `/lifecycle${query}`)).body.features;
      expect(await list()).toEqual([]);
      expect(await list('?archived=true')).toMatchObject([
        { name: 'checkout', stage: 'archived' },
      ]);
      await admin('POST', '/archive/revive/checkout');
      expect(await list()).toEqual([
        {
          name: 'checkout',
          stage: 'initial',
          enteredStageAt: expect.stringMatching(TIME),
        },
      ]);
    });

    it('has no stage before production for a flag that is used only there', async () => {
      await suite.calls.create('checkout');
      await report('production', 2);
      expect(await names()).toEqual(['initial', 'live']);
    });

    it('is not found in another project', async () => {
      await suite.calls.create('checkout');
      const { status } = await admin(
        'GET',
        '/projects/other/features/checkout/lifecycle',
      );
      expect(status).toBe(404);
    });
  },
);
