import { ResponseError } from '@backstage/errors';
import { connectFlagsApi } from './connectFlagsApi';

/** Returns a client, and a list of the requests that it makes. */
function connect(answer: () => Response) {
  const requests: { method: string; url: string; body: unknown }[] = [];
  const client = connectFlagsApi({
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

describe('connectFlagsApi', () => {
  it('evaluates all flags with one request', async () => {
    const table = { columns: [], features: [] };
    const { client, requests } = connect(() => Response.json(table));
    const query = {
      environments: ['production'],
      projects: ['*'],
      context: { userId: 'ada, bob' },
    };
    expect(await client.evaluateFlags(query)).toEqual(table);
    expect(requests).toEqual([
      {
        method: 'POST',
        url: 'http://portal/api/proxy/feature-flags/api/admin/playground/features',
        body: query,
      },
    ]);
  });

  it('asks the service through the proxy, by the contract', async () => {
    const { client, requests } = connect(() =>
      Response.json({ features: [], tokens: [], events: [], usage: [] }),
    );
    await client.listFlags({ archived: true });
    const flag = { name: 'a~b', project: 'default' };
    await client.changeEnvironment(flag, {
      environment: 'production',
      enabled: true,
    });
    await client.updateFlag('a', { stale: true });
    await client.archiveFlag('a');
    await client.getHistory('a', { before: 7 });
    await client.getUsage('a', {
      environment: '*',
      interval: 'day',
      count: 30,
    });
    const base = 'http://portal/api/proxy/feature-flags/api/admin';
    expect(requests).toEqual([
      {
        method: 'GET',
        url: `${base}/search/features?archived=true`,
        body: undefined,
      },
      {
        method: 'PATCH',
        url: `${base}/projects/default/features/a~b/environments/production`,
        body: { enabled: true },
      },
      { method: 'PATCH', url: `${base}/features/a`, body: { stale: true } },
      { method: 'DELETE', url: `${base}/features/a`, body: undefined },
      {
        method: 'GET',
        url: `${base}/events?featureName=a&limit=51&before=7`,
        body: undefined,
      },
      {
        method: 'GET',
        url: `${base}/metrics/features/a/usage?environment=*&interval=day&count=30`,
        body: undefined,
      },
    ]);
  });

  it('creates flags of owners in their project', async () => {
    const { client, requests } = connect(() => Response.json({}));
    const flag = {
      name: 'a',
      description: '',
      type: 'release',
      project: 'payments',
    };
    await client.createFlag(flag, { isAdmin: true });
    await client.createFlag(flag, { isAdmin: false });
    const base = 'http://portal/api/proxy/feature-flags/api/admin';
    expect(requests).toEqual([
      { method: 'POST', url: `${base}/features`, body: flag },
      { method: 'POST', url: `${base}/projects/payments/features`, body: flag },
    ]);
  });

  it('tells of the change request that a change became', async () => {
    const changeRequest = { id: 3 };
    const { client } = connect(() =>
      Response.json({ changeRequest }, { status: 202 }),
    );
    expect(await client.rollBack(7)).toEqual(changeRequest);
  });

  it('follows changes until the connection ends', async () => {
    const { client } = connect(
      () =>
        new Response(
          'event: changed\ndata: {"revision":4,"ageMs":60000}\n\n: keep-alive\n\nevent: changed\ndata: {"revision":5,"ageMs":0}\n\n',
        ),
    );
    const revisions: object[] = [];
    await client.followChanges(revision => revisions.push(revision));
    expect(revisions).toEqual([
      { revision: 4, ageMs: 60_000 },
      { revision: 5, ageMs: 0 },
    ]);
  });

  it('rejects with what the service says', async () => {
    const { client } = connect(() =>
      Response.json(
        { name: 'NameExistsError', message: 'It exists', details: [] },
        { status: 409 },
      ),
    );
    const creation = client.createFlag(
      { name: 'a', description: '', type: 'release', project: 'default' },
      { isAdmin: true },
    );
    await expect(creation).rejects.toBeInstanceOf(ResponseError);
    await expect(creation).rejects.toThrow(/It exists|409/);
  });
});
