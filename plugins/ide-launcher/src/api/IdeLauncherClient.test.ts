import { IdeLauncherClient } from './IdeLauncherClient';
import { IdeLauncherError } from './IdeLauncherError';

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

async function errorOf(promise: Promise<unknown>): Promise<IdeLauncherError> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof IdeLauncherError)) {
    throw new Error(`Not an IdeLauncherError: ${error}`);
  }
  return error;
}

describe('IdeLauncherClient', () => {
  it('sends what the interface takes', async () => {
    const requests: Request[] = [];
    const client = clientAnswering(() => Response.json({}), requests);

    await client.listWorkspaces({ status: 'Running' });
    await client.createWorkspace({ devfileUrl: 'https://a/devfile.yaml' });
    await client.getLogs('workspace/1', { after: 7 });
    await client.createTicket('w1', { path: '/a', port: 3000 });

    expect(requests.map(r => `${r.method} ${r.url}`)).toEqual([
      'GET http://portal/api/ide-launcher/workspaces?status=Running',
      'POST http://portal/api/ide-launcher/workspaces',
      'GET http://portal/api/ide-launcher/workspaces/workspace%2F1/logs?after=7',
      'POST http://portal/api/ide-launcher/workspaces/w1/ticket',
    ]);
    expect(await requests[1].json()).toEqual({
      devfileUrl: 'https://a/devfile.yaml',
    });
    expect(requests[1].headers.get('content-type')).toBe('application/json');
    expect(await requests[3].json()).toEqual({ path: '/a', port: 3000 });
  });

  it('takes a deletion without a body', async () => {
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
    const error = await errorOf(client.startWorkspace('w1'));

    expect(error.kind).toBe('conflict');
    expect(error.status).toBe(409);
    expect(error.detail).toBe('The name is taken');
  });

  it.each([
    [502, '<h1>Bad gateway</h1>', 'unavailable'],
    [500, '', 'unexpected'],
    [404, '{"error":{}}', 'notFound'],
    [401, 'null', 'unauthenticated'],
  ])('makes no words of a %i with %j', async (status, body, kind) => {
    const client = clientAnswering(() => new Response(body, { status }));
    const error = await errorOf(client.getWorkspace('w1'));

    expect(error.kind).toBe(kind);
    expect(error.detail).toBeUndefined();
  });

  it('tells a lost connection from an aborted request', async () => {
    const client = clientAnswering(() => {
      throw new TypeError('Failed to fetch');
    });
    expect((await errorOf(client.getOptions())).kind).toBe('offline');

    const aborted = AbortSignal.abort();
    const reason = await client.getOptions({ signal: aborted }).catch(e => e);
    expect(reason).not.toBeInstanceOf(IdeLauncherError);
  });
});
