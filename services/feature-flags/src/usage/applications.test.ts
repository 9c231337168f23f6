import { testDatabaseClients } from '@slipway/service-kit/testing';
import { flagsSuite } from '../__testUtils__/flagsSuite.ts';
import { CLIENT_TOKEN } from '../__testUtils__/startFeatureFlags.ts';

describe.each(testDatabaseClients())('usage by application on %s', client => {
  const suite = flagsSuite(client);

  it('counts on, off and variants by application and environment', async () => {
    await suite.calls.create('checkout');
    const production = await suite.calls.admin('POST', '/api-tokens', {
      tokenName: 'production',
      type: 'client',
      environment: 'production',
    });
    const report = (token: string, appName: string, toggle: object) =>
      suite.calls.send('POST', '/api/client/metrics', {
        token,
        payload: {
          appName,
          bucket: { toggles: { checkout: toggle } },
        },
      });
    await report(CLIENT_TOKEN, 'shop', {
      yes: 3,
      no: 1,
      variants: { red: 2, blue: 1 },
    });
    await report(CLIENT_TOKEN, 'shop', {
      yes: 2,
      no: 0,
      variants: { red: 2, green: 'none', __proto__: 1 },
    });
    await report(CLIENT_TOKEN, 'admin', { yes: 0, no: 4, variants: 'some' });
    const bulk = await suite.calls.send('POST', '/api/client/metrics/bulk', {
      token: production.body.secret,
      payload: {
        applications: [],
        metrics: [
          {
            featureName: 'checkout',
            appName: 'shop',
            yes: 1,
            no: 1,
            variants: { blue: 1 },
          },
        ],
      },
    });
    expect(bulk.status).toBe(202);
    const { status, body } = await suite.calls.admin(
      'GET',
      '/metrics/features/checkout/applications',
    );
    expect(status).toBe(200);
    expect(body.applications).toMatchObject([
      {
        appName: 'admin',
        environment: 'development',
        yes: 0,
        no: 4,
        variants: {},
      },
      {
        appName: 'shop',
        environment: 'development',
        yes: 5,
        no: 1,
        variants: { red: 4, blue: 1 },
      },
      {
        appName: 'shop',
        environment: 'production',
        yes: 1,
        no: 1,
        variants: { blue: 1 },
      },
    ]);
    const path = '/metrics/features/none/applications';
    expect((await suite.calls.admin('GET', path)).status).toBe(404);
    const wrong = '/metrics/features/checkout/applications?hours=0';
    expect((await suite.calls.admin('GET', wrong)).status).toBe(400);
  });
});
