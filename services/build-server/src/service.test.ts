import { testDatabaseClients } from '@slipway/service-kit/testing';
import type { BuildClient } from './__testUtils__/BuildClient.ts';
import { type Contract, openContract } from './__testUtils__/openContract.ts';

describe.each(testDatabaseClients())('the service on %s', databaseClient => {
  let contract: Contract;
  let dev: BuildClient;
  let nobody: BuildClient;

  beforeAll(async () => {
    contract = await openContract(databaseClient);
    ({ dev, nobody } = contract);
  });

  afterAll(() => contract.close());

  it('describes itself, is healthy, and counts builds', async () => {
    const { body } = await nobody.get('/openapi.json');
    expect(Object.keys(body.paths)).toEqual(
      expect.arrayContaining([
        '/generic-webhook-trigger/invoke',
        '/job/{job}/build',
        '/job/{job}/buildWithParameters',
        '/job/{job}/{build}/api/json',
      ]),
    );
    expect(faultsOf(body.paths)).toEqual({
      '/generic-webhook-trigger/invoke': '400 401 413 429 500 503',
      '/job/{job}/build': '400 401 403 404 409 413 429 500 503',
      '/job/{job}/buildWithParameters': '400 401 403 404 409 413 429 500 503',
      '/job/{job}/{build}/api/json': '400 401 403 404 429 500 503',
    });
    expect((await nobody.get('/health')).status).toBe(200);
    expect((await nobody.get('/ready')).status).toBe(200);
    await dev.build('hello');
    const metrics = await nobody.get('/metrics');
    expect(metrics.text).toMatch(/builds_total\{result="SUCCESS"\} [1-9]/);
  });

  it('has no limits by default', async () => {
    const answer = await dev.get('/api/json');
    expect(answer.headers.get('x-ratelimit-limit')).toBeNull();
  });
});

/** Returns the error responses that each route of the contract may send. */
function faultsOf(
  paths: Record<string, Record<string, { responses: object }>>,
): Record<string, string> {
  const routes = [
    ['post', '/generic-webhook-trigger/invoke'],
    ['post', '/job/{job}/build'],
    ['post', '/job/{job}/buildWithParameters'],
    ['get', '/job/{job}/{build}/api/json'],
  ];
  return Object.fromEntries(
    routes.map(([method, path]) => [
      path,
      Object.keys(paths[path][method].responses)
        .filter(status => Number(status) >= 400)
        .join(' '),
    ]),
  );
}
