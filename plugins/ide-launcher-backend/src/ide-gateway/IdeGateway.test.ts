import { mockCredentials } from '@backstage/backend-test-utils';
import { aWorkspace } from '../__testUtils__/workspaces';
import { useGateways } from './__testUtils__/gateways';

describe.each(['path', 'host'] as const)('IdeGateway, by %s', form => {
  const { createGateway } = useGateways();

  it('turns a ticket into a cookie and an address without the ticket', async () => {
    const { ask, ide, signIn } = await createGateway(form);
    const { answer, cookie } = await signIn({ path: '/?folder=/projects' });

    expect(answer.status).toBe(303);
    expect(answer.headers.location).toBe(
      `${new URL(ide).pathname}?folder=%2Fprojects`,
    );
    expect(answer.headers['set-cookie']![0]).toContain('HttpOnly');
    const page = await ask(`${ide}static/x.js?v=1`, { headers: { cookie } });
    expect(page.status).toBe(200);
    expect(JSON.parse(page.body).url).toBe('/static/x.js?v=1');
  });

  it('redirects browsers without a session to the portal, and responds 401 to others', async () => {
    const { ask, ide, workspace } = await createGateway(form);
    const navigation = await ask(`${ide}?folder=x`, {
      headers: { accept: 'text/html' },
    });
    expect(navigation.status).toBe(303);
    expect(navigation.headers.location).toBe(
      `http://localhost:3000/workspaces/${workspace.id}/open?return=%2F%3Ffolder%3Dx`,
    );
    await expect(ask(ide)).resolves.toMatchObject({
      status: 401,
      body: '{"error":"Open this IDE from the portal"}',
    });
    const forged = await ask(ide, {
      headers: { cookie: 'slipway-ide=forged; __Host-slipway-ide=forged' },
    });
    expect(forged.status).toBe(401);
  });

  it('accepts only the portal session of the owner', async () => {
    const { ask, ide, workspace } = await createGateway(form);
    const as = (ref: string) =>
      ask(ide, {
        headers: { authorization: mockCredentials.user.header(ref) },
      });

    const owner = await as(workspace.owner);
    expect(owner.status).toBe(200);
    expect(owner.headers['set-cookie']!.join()).toContain('slipway-ide=');
    expect((await as('user:default/grace')).status).toBe(401);
    const cookie = mockCredentials.limitedUser.cookie(workspace.owner);
    expect((await ask(ide, { headers: { cookie } })).status).toBe(200);
  });

  it('creates one session for a program that sends its token each time', async () => {
    const { access, ask, ide, sessions, workspace } = await createGateway(form);
    const authorization = mockCredentials.user.header(workspace.owner);
    const work = () => ask(ide, { headers: { authorization } });
    const statuses = async () =>
      (await Promise.all(Array.from({ length: 20 }, work))).map(
        ({ status }) => status,
      );
    expect(new Set(await statuses())).toEqual(new Set([200]));
    expect(new Set(await statuses())).toEqual(new Set([200]));
    expect(await sessions()).toBe(1);

    await access.revokeOwner(workspace.owner);
    expect(new Set(await statuses())).toEqual(new Set([200]));
    await access.revoke(workspace.id);
    expect((await work()).status).toBe(200);
    expect(await sessions()).toBe(1);
  });

  it('does not reveal whether workspaces exist', async () => {
    const { addresses, ask } = await createGateway(form);
    const unknown = addresses.ide('workspace-none');
    expect((await ask(unknown)).status).toBe(401);
    expect((await ask('http://localhost:7010/')).status).toBe(404);
  });

  it('rejects writes and sockets of another origin', async () => {
    const { ask, connect, ide, origin, signIn } = await createGateway(form);
    const { cookie } = await signIn();
    const post = (from: string) =>
      ask(ide, { method: 'POST', headers: { cookie, origin: from } });

    expect((await post('http://evil.example')).status).toBe(403);
    expect((await post('null')).status).toBe(403);
    expect((await post(origin)).status).toBe(200);
    await expect(
      connect({ cookie, origin: 'http://evil.example' }),
    ).resolves.toBe(403);
  });

  it('rejects the ticket and the cookie of another workspace', async () => {
    const first = await createGateway(form);
    const { url } = await first.access.issueTicket(first.workspace);
    expect((await first.ask(url)).status).toBe(303);
    const replayed = await first.ask(url, {
      headers: { accept: 'text/html' },
    });
    expect(replayed.headers['set-cookie']).toBeUndefined();
    expect(replayed.headers.location).toMatch(/^http:\/\/localhost:3000\//);

    const other = aWorkspace({ id: 'workspace-other', name: 'other' });
    await first.store.insert(other);
    const { token } = await first.access.openSession(other);
    const [name] = (await first.signIn()).cookie.split('=');
    const cookie = `${name}=${token}`;
    expect((await first.ask(first.ide, { headers: { cookie } })).status).toBe(
      401,
    );
    await expect(first.connect({ origin: first.origin })).resolves.toBe(401);
    await expect(first.connect({ cookie, origin: first.origin })).resolves.toBe(
      401,
    );
  });

  it('allows only the IDE itself to embed its responses', async () => {
    const { ask, ide, origin, signIn } = await createGateway(form);
    const { cookie } = await signIn();
    const from = (site: string, mode: string) =>
      ask(ide, {
        headers: { cookie, 'sec-fetch-site': site, 'sec-fetch-mode': mode },
      });

    expect((await from('same-site', 'cors')).status).toBe(403);
    expect((await from('cross-site', 'no-cors')).status).toBe(403);
    expect((await from('same-origin', 'cors')).status).toBe(200);
    const page = await from('cross-site', 'navigate');
    expect(page.status).toBe(200);
    expect(page.headers['content-security-policy']).toContain(
      `frame-ancestors 'self' ${origin}`,
    );
  });

  it('finds its session despite a planted cookie of the same name', async () => {
    const { ask, ide, signIn } = await createGateway(form);
    const { cookie } = await signIn();
    const [name] = cookie.split('=');
    const page = await ask(ide, {
      headers: { cookie: `${name}=planted; ${cookie}` },
    });
    expect(page.status).toBe(200);
  });
});
