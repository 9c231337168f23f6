import { ResponseError } from '@backstage/errors';
import { ServiceClient } from './ServiceClient';

function clientAnswering(answer: () => Response) {
  const asked: { url: string; init?: RequestInit }[] = [];
  const client = new ServiceClient({
    discoveryApi: {
      getBaseUrl: async id => `https://portal.example/api/${id}`,
    },
    fetchApi: {
      fetch: async (url, init) => {
        asked.push({ url: String(url), init });
        return answer();
      },
    },
    path: '/shop/api/v1',
  });
  return { asked, client };
}

describe('ServiceClient', () => {
  it('calls the service through the proxy, without undefined parameters', async () => {
    const { asked, client } = clientAnswering(() => Response.json({ n: 1 }));
    const { signal } = new AbortController();
    const query = { team: 'a b', page: 0, all: false, from: '', to: undefined };
    await expect(client.json('/things', { query, signal })).resolves.toEqual({
      n: 1,
    });
    expect(asked).toEqual([
      {
        url: 'https://portal.example/api/proxy/shop/api/v1/things?team=a+b&page=0&all=false',
        init: { method: undefined, signal },
      },
    ]);
  });

  it('sends JSON', async () => {
    const { asked, client } = clientAnswering(
      () => new Response(null, { status: 204 }),
    );
    await client.send('/things', { method: 'POST', body: { name: 'x' } });
    expect(asked[0].init).toMatchObject({
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"name":"x"}',
    });
  });

  it("throws the service's error", async () => {
    const { client } = clientAnswering(() =>
      Response.json({ error: { message: 'No such thing' } }, { status: 404 }),
    );
    const error: unknown = await client
      .json('/things/9')
      .catch(thrown => thrown);
    expect(error).toBeInstanceOf(ResponseError);
    expect(error).toMatchObject({ response: { status: 404 } });
  });
});
