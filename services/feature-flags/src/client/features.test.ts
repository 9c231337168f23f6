import { testDatabaseClients } from '@slipway/service-kit/testing';
import { flagsSuite } from '../__testUtils__/flagsSuite.ts';
import { CLIENT_TOKEN } from '../__testUtils__/startFeatureFlags.ts';

describe.each(testDatabaseClients())('flags for SDKs on %s', client => {
  const suite = flagsSuite(client);

  it('are the definitions that SDKs read', async () => {
    await suite.calls.create('checkout', {
      enabled: true,
      strategies: [{ name: 'flexibleRollout', parameters: { rollout: '50' } }],
      variants: [{ name: 'red', weight: 1000, payload: { type: 'string' } }],
    });
    const response = await suite.calls.client('GET', '/features');
    expect(response.status).toBe(200);
    expect(response.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'x-ratelimit-limit': '1000',
      'x-ratelimit-remaining': '999',
      'x-ratelimit-reset': expect.stringMatching(/^\d{10}$/),
      etag: expect.stringMatching(/^W\/"[0-9a-f]{12}:1"$/),
      vary: 'Origin, Accept-Encoding',
    });
    expect(response.body).toEqual({
      version: 2,
      features: [
        {
          name: 'checkout',
          type: 'release',
          project: 'default',
          enabled: true,
          stale: false,
          impressionData: false,
          description: '',
          strategies: [
            {
              name: 'flexibleRollout',
              parameters: { rollout: '50' },
              constraints: [],
            },
          ],
          variants: [
            { name: 'red', weight: 1000, payload: { type: 'string' } },
          ],
        },
      ],
      query: { project: ['*'], environment: 'development' },
      meta: { revisionId: 1, etag: response.headers.etag },
    });
  });

  it('are 304 without a body until something changes', async () => {
    await suite.calls.create('checkout');
    const first = await suite.calls.client('GET', '/features');
    const etag = String(first.headers.etag);
    const ask = (ifNoneMatch: string) =>
      suite.calls.send('GET', '/api/client/features', {
        token: CLIENT_TOKEN,
        headers: { 'if-none-match': ifNoneMatch },
      });
    for (const sent of [etag, etag.slice(2), `"x", ${etag}`, '*']) {
      const response = await ask(sent);
      expect([response.status, response.text]).toEqual([304, '']);
      expect(response.headers.etag).toBe(etag);
    }
    expect((await ask('"other"')).status).toBe(200);
    await suite.calls.admin('POST', '/features/checkout/toggle/on');
    const changed = await ask(etag);
    expect(changed.status).toBe(200);
    expect(changed.headers.etag).not.toBe(etag);
  });

  it('are compressed for clients that accept it', async () => {
    await suite.calls.create('large', { description: 'a'.repeat(5_000) });
    const { headers, rawPayload } = await suite.service.app.inject({
      url: '/api/client/features',
      headers: { authorization: CLIENT_TOKEN, 'accept-encoding': 'gzip' },
    });
    expect(headers['content-encoding']).toBe('gzip');
    expect(rawPayload.length).toBeLessThan(1_000);
    const plain = await suite.calls.send('GET', '/api/client/features', {
      token: CLIENT_TOKEN,
      headers: { 'accept-encoding': 'gzip;q=0' },
    });
    expect(plain.body.features).toHaveLength(1);
  });

  it('are filtered by the requested projects and prefix', async () => {
    await suite.calls.create('pay.one', { project: 'payments' });
    await suite.calls.create('pay.two', { project: 'search' });
    await suite.calls.create('other');
    const { body } = await suite.calls.admin('POST', '/api-tokens', {
      tokenName: 'payments',
      type: 'client',
      projects: ['payments'],
    });
    const ask = async (query: string, token = CLIENT_TOKEN) => {
      const response = await suite.calls.send(
        'GET',
        `/api/client/features?${query}`,
        { token },
      );
      return response.body.features.map((flag: { name: string }) => flag.name);
    };
    expect(await ask('project=payments')).toEqual(['pay.one']);
    expect(await ask('project=payments&project=search')).toEqual([
      'pay.one',
      'pay.two',
    ]);
    expect(await ask('namePrefix=pay.')).toEqual(['pay.one', 'pay.two']);
    expect(await ask('project=search&namePrefix=o')).toEqual([]);
    expect(await ask('project=*')).toHaveLength(3);
    expect(await ask('project=')).toHaveLength(3);
    // A filter cannot widen the scope of a token.
    expect(await ask('project=*', body.secret)).toEqual(['pay.one']);
    expect(await ask('project=search', body.secret)).toEqual([]);
    const etag = async (query: string) => {
      const path = `/features?${query}`;
      return (await suite.calls.client('GET', path)).headers.etag;
    };
    expect(await etag('namePrefix=pay.')).not.toBe(await etag(''));
  });

  it('are limited to the projects of the token', async () => {
    await suite.calls.create('one', { project: 'payments' });
    await suite.calls.create('other');
    const { body } = await suite.calls.admin('POST', '/api-tokens', {
      tokenName: 'payments',
      type: 'client',
      projects: ['payments'],
    });
    expect(body.secret).toMatch(/^payments:development\.[0-9a-f]{56}$/);
    expect(await suite.calls.features(body.secret)).toMatchObject([
      { name: 'one' },
    ]);
  });
});
