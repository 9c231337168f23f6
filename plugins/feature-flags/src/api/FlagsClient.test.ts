import { ResponseError } from '@backstage/errors';
import { FlagsClient } from './FlagsClient';

/** A client, and every request that it made. */
function connect(answer: () => Response) {
  const requests: { method: string; url: string; body: unknown }[] = [];
  const client = new FlagsClient({
    discoveryApi: { getBaseUrl: async id => `http://portal/api/${id}` },
    fetchApi: {
      async fetch(input: RequestInfo | URL, init?: RequestInit) {
        requests.push({
          method: init?.method ?? 'GET',
          url: String(input),
          body: init?.body && JSON.parse(String(init.body)),
        });
        return answer();
      },
    },
  });
  return { client, requests };
}

describe('FlagsClient', () => {
  it('asks the service through the proxy, by the contract', async () => {
    const { client, requests } = connect(() =>
      Response.json({ features: [], tokens: [], events: [], usage: [] }),
    );
    await client.listFlags({ archived: true });
    await client.toggleFlag('a~b', true);
    await client.updateFlag('a', { stale: true });
    await client.archiveFlag('a');
    await client.getHistory('a');
    await client.getUsage('a', { interval: 'day', count: 30 });
    const base = 'http://portal/api/proxy/feature-flags/api/admin';
    expect(requests).toEqual([
      { method: 'GET', url: `${base}/features?archived=true`, body: undefined },
      {
        method: 'POST',
        url: `${base}/features/a~b/toggle/on`,
        body: undefined,
      },
      { method: 'PATCH', url: `${base}/features/a`, body: { stale: true } },
      { method: 'DELETE', url: `${base}/features/a`, body: undefined },
      { method: 'GET', url: `${base}/events?featureName=a`, body: undefined },
      {
        method: 'GET',
        url: `${base}/metrics/features/a/usage?interval=day&count=30`,
        body: undefined,
      },
    ]);
  });

  it('rejects with what the service says', async () => {
    const { client } = connect(() =>
      Response.json(
        { name: 'NameExistsError', message: 'It exists', details: [] },
        { status: 409 },
      ),
    );
    const creation = client.createFlag({
      name: 'a',
      description: '',
      type: 'release',
    });
    await expect(creation).rejects.toBeInstanceOf(ResponseError);
    await expect(creation).rejects.toThrow(/It exists|409/);
  });
});
