import type { ContractPortal } from './ContractPortal';
import type { RunningPortal } from './RunningPortal';

/** Defines tests that a compromised service cannot misuse the tokens that the proxy sends to it. */
// eslint-disable-next-line jest/no-export -- contract.test.ts runs it.
export function describeServiceTokens(running: () => RunningPortal): void {
  let portal: ContractPortal;
  let proxied: RunningPortal['proxied'];
  let adas: string;

  beforeAll(async () => {
    ({ portal, proxied } = running());
    adas = await portal.signIn('ada');
    await portal.ask('/proxy/feature-flags/api/things', { token: adas });
  });

  it('sends the service its own token instead of that of the session', async () => {
    const answer = await portal.ask('/proxy/feature-flags/api/things', {
      token: adas,
    });
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      headers: expect.not.arrayContaining(['cookie']),
    });
    expect(proxied.token).toMatch(/^ey/);
    expect(proxied.token).not.toBe(adas);
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
    const answer = await portal.ask(path, { method, token: proxied.token });
    expect(answer.status).toBe(401);
  });

  it('gives no access to pages protected by a cookie', async () => {
    const response = await fetch(
      `${portal.origin}/api/ide-launcher/workspaces`,
      {
        headers: { cookie: `backstage-auth=${proxied.token}` },
      },
    );
    expect(response.status).toBe(401);
  });

  it('does not expose the metrics of a service through the portal', async () => {
    const token = await portal.signIn('grace');
    for (const path of ['/metrics', '/api/../metrics', '/api/%2e%2e/metrics']) {
      const answer = await portal.ask(`/proxy/feature-flags${path}`, { token });
      expect([path, answer.status]).toEqual([path, 404]);
    }
  });
}
