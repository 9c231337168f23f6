import { testDatabaseClients } from '@slipway/service-kit/testing';
import {
  anError,
  flagsSuite,
  registration,
  TIME,
} from '../__testUtils__/flagsSuite.ts';
import { CLIENT_TOKEN } from '../__testUtils__/startFeatureFlags.ts';

describe.each(testDatabaseClients())('applications on %s', client => {
  const suite = flagsSuite(client);

  it('returns 202 without a body, also with fields that SDKs add', async () => {
    const response = await suite.calls.client('POST', '/register', {
      ...registration,
      connectionId: 'x',
      yggdrasilVersion: null,
      specVersion: '5.2.0',
    });
    expect([response.status, response.text]).toEqual([202, '']);
    const nulls = await suite.calls.client('POST', '/register', {
      ...registration,
      instanceId: null,
      sdkVersion: null,
    });
    expect(nulls.status).toBe(202);
    const { body } = await suite.calls.admin('GET', '/metrics/applications');
    expect(body.applications).toEqual([
      {
        appName: 'shop',
        instances: 2,
        sdkVersions: ['unleash-node-sdk:6.12.1'],
        seenAt: expect.stringMatching(TIME),
      },
    ]);
  });

  it('returns 202 for the requests that released SDKs send', async () => {
    const now = Date.now();
    for (const odd of [
      { interval: '60' },
      { interval: 60.5 },
      { started: now },
      { started: now / 1_000 },
      { started: String(now) },
      { started: new Date(now).toUTCString() },
      { started: '2026-11-28 10:00:00 UTC' },
      { instanceId: 42, sdkVersion: 1.5 },
      { strategies: ['default', 7, null, {}] },
      { appName: 'a'.repeat(300) },
    ]) {
      const response = await suite.calls.client('POST', '/register', {
        ...registration,
        ...odd,
      });
      expect([odd, response.status, response.text]).toEqual([odd, 202, '']);
    }
    const { body } = await suite.calls.admin('GET', '/metrics/applications');
    expect(body.applications).toMatchObject([
      { appName: 'a'.repeat(200), instances: 1 },
      { appName: 'shop', instances: 2 },
    ]);
  });
});

describe.each(testDatabaseClients())('wrong registrations on %s', client => {
  const suite = flagsSuite(client, 'block');

  it.each(['appName', 'strategies', 'started', 'interval'])(
    'returns 400 without %s',
    async field => {
      const response = await suite.calls.client('POST', '/register', {
        ...registration,
        [field]: undefined,
      });
      expect(response.status).toBe(400);
      expect(response.body).toEqual(
        anError('BadDataError', `${field} is required`),
      );
    },
  );

  it('returns 415 for a body that is not JSON', async () => {
    const response = await suite.calls.send('POST', '/api/client/register', {
      token: CLIENT_TOKEN,
      headers: { 'content-type': 'text/plain' },
      payload: 'shop',
    });
    expect(response.status).toBe(415);
    expect(response.body).toEqual(anError('ContentTypeError'));
  });

  it.each([{ interval: -1 }, { interval: 'soon' }, { started: 'now' }])(
    'returns 400 for %o',
    async wrong => {
      const response = await suite.calls.client('POST', '/register', {
        ...registration,
        ...wrong,
      });
      expect(response.status).toBe(400);
    },
  );
});
