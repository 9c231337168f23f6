import { ResponseError } from '@backstage/errors';
import { DeliveryLakeClient } from './DeliveryLakeClient';

const discoveryApi = {
  getBaseUrl: async (pluginId: string) => `http://portal/api/${pluginId}`,
};

function clientAnswering(answer: () => Response, requested: string[] = []) {
  return new DeliveryLakeClient({
    discoveryApi,
    fetchApi: {
      fetch: async input => {
        requested.push(String(input));
        return answer();
      },
    },
  });
}

describe('DeliveryLakeClient', () => {
  it('sends only the parameters of the query', async () => {
    const requested: string[] = [];
    const client = clientAnswering(() => Response.json({}), requested);
    await client.getSeries({ team: 'payments', interval: 'week' });
    await client.listDeployments({
      service: 'component:default/checkout',
      environment: undefined,
      failed: true,
      cursor: 'a+b',
    });
    await client.getDeployment('deploy-a/b');

    expect(requested).toEqual([
      'http://portal/api/delivery-lake/dora-series?team=payments&interval=week',
      'http://portal/api/delivery-lake/deployments?service=component%3Adefault%2Fcheckout&failed=true&cursor=a%2Bb',
      'http://portal/api/delivery-lake/deployments/deploy-a%2Fb',
    ]);
  });

  it('puts the secret of a connection into the body, not the address', async () => {
    const sent: unknown[] = [];
    const client = new DeliveryLakeClient({
      discoveryApi,
      fetchApi: {
        fetch: async (input, init) => {
          sent.push(String(input), init?.method, JSON.parse(`${init?.body}`));
          return Response.json({});
        },
      },
    });
    await client.enterConnectionSecret('connection-1', 'between us');
    expect(sent).toEqual([
      'http://portal/api/delivery-lake/connections/connection-1/secret',
      'PUT',
      { secret: 'between us' },
    ]);
  });

  it('hands on the bytes of an export', async () => {
    const client = clientAnswering(() => new Response('id,service\n1,a\n'));
    const file = await client.exportIncidents({ open: true });
    // jsdom's Blob has a size, but its content cannot be read.
    expect(file.size).toBe('id,service\n1,a\n'.length);
  });

  it('rejects with the status and the words of the server', async () => {
    const client = clientAnswering(() =>
      Response.json(
        {
          error: { name: 'InputError', message: 'startDate: must be a date' },
          response: { statusCode: 400 },
        },
        { status: 400 },
      ),
    );
    const error = await client.getMetrics({}).catch(reason => reason);
    expect(error).toBeInstanceOf(ResponseError);
    expect(error.response.status).toBe(400);
    expect(error.body.error.message).toBe('startDate: must be a date');
  });
});
