import { testDatabaseClients } from '@slipway/service-kit/testing';
import {
  anError,
  flagsSuite,
  registration,
  TIME,
} from '../__testUtils__/flagsSuite.ts';

describe.each(testDatabaseClients())('applications on %s', client => {
  const suite = flagsSuite(client);

  it('answers 202 without a body, also to what SDKs add', async () => {
    const answer = await suite.calls.client('POST', '/register', {
      ...registration,
      connectionId: 'x',
      yggdrasilVersion: null,
      specVersion: '5.2.0',
    });
    expect([answer.status, answer.text]).toEqual([202, '']);
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

  it.each(['appName', 'strategies', 'started', 'interval'])(
    'answers 400 without %s',
    async field => {
      const answer = await suite.calls.client('POST', '/register', {
        ...registration,
        [field]: undefined,
      });
      expect(answer.status).toBe(400);
      expect(answer.body).toEqual(
        anError('BadDataError', `${field} is required`),
      );
    },
  );

  it.each([{ interval: -1 }, { interval: '60' }, { started: 'now' }])(
    'answers 400 for %o',
    async wrong => {
      const answer = await suite.calls.client('POST', '/register', {
        ...registration,
        ...wrong,
      });
      expect(answer.status).toBe(400);
    },
  );
});
