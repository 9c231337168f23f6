import type { ContractPortal } from './ContractPortal';
import { expectLimitHeaders, expectRefusal } from './expectations';
import type { Issuer } from './Issuer';
import { DORA, ENTITIES, ROUTES, WORKSPACES } from './routes';
import type { RunningPortal } from './RunningPortal';
import { TOKENS } from './tokens';

/** Defines tests of the access rules of the routes of group A, including public ones. */
// eslint-disable-next-line jest/no-export -- contract.test.ts runs it.
export function describeAccess(running: () => RunningPortal): void {
  let portal: ContractPortal;
  let issuer: Issuer;
  const { service } = TOKENS;

  beforeAll(() => {
    ({ portal, issuer } = running());
  });

  describe.each(ROUTES)('$method $path', ({ method, path }) => {
    const body = method === 'POST' ? {} : undefined;

    it('requires a valid credential', async () => {
      const none = await portal.ask(path, { method, body });
      expectRefusal(none, 401);
      expect(expectLimitHeaders(none).limit).toBe(100);
      const wrong = await portal.ask(path, {
        method,
        body,
        token: 'no-such-token',
      });
      expectRefusal(wrong, 401);
      const notForUs = await issuer.token('builder', 'somebody-else');
      expectRefusal(
        await portal.ask(path, { method, body, token: notForUs }),
        401,
      );
    });

    it('accepts tokens of an issuer', async () => {
      const token = await issuer.token('builder');
      const answer = await portal.ask(path, { method, body, token });
      expect([200, 400, 404]).toContain(answer.status);
      expect(expectLimitHeaders(answer).limit).toBe(1_000);
    });

    it('rejects other methods, and lists the allowed ones', async () => {
      const answer = await portal.ask(path, {
        method: 'PATCH',
        token: service,
      });
      expectRefusal(answer, 405);
      expectLimitHeaders(answer);
      expect(answer.headers.get('allow')?.split(', ')).toContain(method);
    });
  });

  describe.each(ROUTES.filter(({ path }) => !path.startsWith('/catalog')))(
    '$method $path',
    ({ method, path }) => {
      it('rejects a token of another plugin', async () => {
        const answer = await portal.ask(path, {
          method,
          token: TOKENS.catalogOnly,
          body: method === 'POST' ? {} : undefined,
        });
        expect(expectRefusal(answer, 403)).toContain('restricted');
        expect(expectLimitHeaders(answer).limit).toBe(1_000);
      });
    },
  );

  describe.each(ROUTES.filter(({ method }) => method !== 'GET'))(
    '$method $path',
    ({ method, path }) => {
      it('is forbidden to a token that may only read', async () => {
        const body = method === 'POST' ? 'not JSON' : undefined;
        const answer = await portal.ask(path, {
          method,
          body,
          token: TOKENS.reader,
        });
        expectRefusal(answer, 403);
        expectLimitHeaders(answer);
      });
    },
  );

  it.each(ROUTES.filter(({ method }) => method === 'GET'))(
    'GET $path is open to a token that may only read',
    async ({ path }) => {
      const answer = await portal.ask(`${path}?service=shop`, {
        token: TOKENS.reader,
      });
      expect(answer.status).toBe(200);
    },
  );

  it('restricts a token to its single permission', async () => {
    const token = TOKENS.lister;
    expect((await portal.ask(WORKSPACES, { token })).status).toBe(200);
    const created = await portal.ask(WORKSPACES, {
      method: 'POST',
      token,
      body: {},
    });
    expectRefusal(created, 403);
    expectRefusal(await portal.ask(DORA, { token }), 403);
  });

  it.each([
    '/ide-launcher/nothing',
    '/delivery-lake/nothing',
    '/catalog/nothing',
    '/nothing',
  ])('%s is not a path', async path => {
    expectRefusal(await portal.ask(path, { token: service }), 404);
  });

  describe('the root', () => {
    const get = (path: string, method = 'GET') =>
      fetch(`${portal.origin}${path}`, { method });

    it.each(['/health', '/ready'])('reports its status at %s', async path => {
      const answer = await get(path);
      expect(answer.status).toBe(200);
      expect(await answer.json()).toEqual({ status: 'ok' });
      const refused = await get(path, 'POST');
      expect(refused.status).toBe(405);
      expect(refused.headers.get('allow')).toBe('GET');
    });

    it('counts requests by plugin', async () => {
      await portal.ask(ENTITIES);
      const answer = await get('/metrics');
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-type')).toMatch(/^text\/plain/);
      expect(await answer.text()).toMatch(
        /^http_request_duration_seconds_count\{plugin="catalog",method="GET",status="401"\} [1-9]/m,
      );
    });

    it('describes all routes of the contract', async () => {
      const description = await (await get('/openapi.json')).json();
      expect(description.openapi).toBe('3.1.0');
      for (const { method, path } of ROUTES) {
        const described = `/api${path.replace('workspace-x', '{workspaceId}')}`;
        expect(description.paths[described]).toHaveProperty(
          method.toLowerCase(),
        );
      }
      const text = JSON.stringify(description);
      const refs = [...text.matchAll(/"#\/components\/(\w+)\/([^"/]+)"/g)];
      expect(refs.length).toBeGreaterThan(20);
      for (const [, kind, name] of refs) {
        expect(description.components[kind]).toHaveProperty([name]);
      }
    });

    it('allows each plugin to describe its own routes', async () => {
      const catalog = await portal.ask('/catalog/openapi.json');
      expect(catalog.status).toBe(200);
      expect(catalog.body).toHaveProperty(['paths', '/locations', 'post']);
      const refused = await portal.ask('/catalog/openapi.json', {
        method: 'POST',
      });
      expectRefusal(refused, 405);
      expect(refused.headers.get('allow')).toBe('GET');
    });
  });
}
