import { type FailedCall, readFailedCall } from '@slipway/app-react';
import { IdeLauncherClient } from './IdeLauncherClient';

const discoveryApi = {
  getBaseUrl: async (pluginId: string) => `http://portal/api/${pluginId}`,
};

function clientAnswering(
  answer: () => Response | Promise<Response>,
  requests: Request[] = [],
) {
  const fetchApi = {
    fetch: async (input: RequestInfo | URL, init?: RequestInit) => {
      requests.push(new Request(input, init));
      return answer();
    },
  };
  return new IdeLauncherClient({ discoveryApi, fetchApi });
}

async function failureOf(promise: Promise<unknown>): Promise<FailedCall> {
  return readFailedCall(await promise.catch((reason: unknown) => reason));
}

describe('IdeLauncherClient', () => {
  it('sends requests in the format of the API', async () => {
    const requests: Request[] = [];
    const client = clientAnswering(() => Response.json({}), requests);

    await client.listWorkspaces({ status: 'Running' });
    await client.createWorkspace({ devfileUrl: 'https://a/devfile.yaml' });
    await client.getLogs('workspace/1', { after: 7 });
    await client.createTicket('w1', { path: '/a', port: 3000 });
    await client.updateDevfile('w1');
    await client.previewDevfile('https://a/b.git', { revision: 'next' });

    expect(requests.map(r => `${r.method} ${r.url}`)).toEqual([
      'GET http://portal/api/ide-launcher/workspaces?status=Running',
      'POST http://portal/api/ide-launcher/workspaces',
      'GET http://portal/api/ide-launcher/workspaces/workspace%2F1/logs?after=7',
      'POST http://portal/api/ide-launcher/workspaces/w1/ticket',
      'POST http://portal/api/ide-launcher/workspaces/w1/devfile',
      'POST http://portal/api/ide-launcher/devfile/preview',
    ]);
    expect(await requests[1].json()).toEqual({
      devfileUrl: 'https://a/devfile.yaml',
    });
    expect(requests[1].headers.get('content-type')).toBe('application/json');
    expect(await requests[3].json()).toEqual({ path: '/a', port: 3000 });
    expect(await requests[5].json()).toEqual({
      devfileUrl: 'https://a/b.git',
      revision: 'next',
    });
  });

  it('accepts a deletion without a body', async () => {
    const client = clientAnswering(() => new Response(null, { status: 204 }));
    await expect(client.deleteWorkspace('w1')).resolves.toBeUndefined();
  });

  it.each([
    ['the interface itself', { error: 'The name is taken' }],
    [
      'the envelope of the app',
      {
        error: { name: 'ConflictError', message: 'The name is taken' },
        response: { statusCode: 409 },
      },
    ],
  ])('reads the message of an error from %s', async (_, body) => {
    const client = clientAnswering(() => Response.json(body, { status: 409 }));
    expect(await failureOf(client.startWorkspace('w1'))).toMatchObject({
      status: 409,
      message: 'The name is taken',
    });
  });

  it.each([
    [502, '<h1>Bad gateway</h1>'],
    [500, ''],
    [404, '{"error":{}}'],
    [401, 'null'],
  ])('makes no words of a %i with %j', async (status, body) => {
    const client = clientAnswering(() => new Response(body, { status }));
    expect(await failureOf(client.getWorkspace('w1'))).toEqual({ status });
  });
});
