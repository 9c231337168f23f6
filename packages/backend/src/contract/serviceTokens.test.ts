import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ContractPortal } from './__testUtils__/ContractPortal';
import { externalAccess } from './__testUtils__/tokens';

// A compromised service cannot misuse the tokens that the proxy sends to it.

let portal: ContractPortal;
let service: Server;
let stolen = '';
let adas: string;

beforeAll(async () => {
  service = createServer((req, res) => {
    stolen = req.headers.authorization!.slice('Bearer '.length);
    res.setHeader('content-type', 'application/json');
    res.end(JSON.stringify({ headers: Object.keys(req.headers) }));
  }).listen(0, '127.0.0.1');
  await once(service, 'listening');
  const target = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
  portal = await ContractPortal.start({
    backend_auth_externalAccess: externalAccess,
    // A service with the name of a plugin of the portal.
    proxy_endpoints: { '/feature-flags': { target } },
  });
  adas = await portal.signIn('ada');
  await portal.ask('/proxy/feature-flags/api/things', { token: adas });
});

afterAll(async () => {
  service?.close();
  await portal?.stop();
});

it('sends the service its own token instead of that of the session', async () => {
  const answer = await portal.ask('/proxy/feature-flags/api/things', {
    token: adas,
  });
  expect(answer.status).toBe(200);
  expect(answer.body).toMatchObject({
    headers: expect.not.arrayContaining(['cookie']),
  });
  expect(stolen).toMatch(/^ey/);
  expect(stolen).not.toBe(adas);
});

it.each([
  ['GET', '/ide-launcher/workspaces'],
  ['GET', '/delivery-lake/dora-metrics'],
  ['GET', '/catalog/entities'],
  ['GET', '/auth/v1/userinfo'],
  ['GET', '/feature-flags/.backstage/auth/v1/cookie'],
  ['GET', '/catalog/.backstage/auth/v1/cookie'],
  ['GET', '/proxy/feature-flags/api/things'],
  ['GET', '/proxy/analytics/api/query'],
  ['POST', '/catalog/locations'],
])('%s %s rejects the token of a service', async (method, path) => {
  const answer = await portal.ask(path, { method, token: stolen });
  expect(answer.status).toBe(401);
});

it('gives no access to pages protected by a cookie', async () => {
  const response = await fetch(`${portal.origin}/api/ide-launcher/workspaces`, {
    headers: { cookie: `backstage-auth=${stolen}` },
  });
  expect(response.status).toBe(401);
});

it('does not expose the metrics of a service through the portal', async () => {
  const token = await portal.signIn('grace');
  for (const path of ['/metrics', '/api/../metrics', '/api/%2e%2e/metrics']) {
    const answer = await portal.ask(`/proxy/feature-flags${path}`, { token });
    expect([path, answer.status]).toEqual([path, 404]);
  }
});
