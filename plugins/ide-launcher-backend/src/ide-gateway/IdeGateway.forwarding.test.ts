import { createServer } from 'node:http';
import { AddressInfo } from 'node:net';
import { aDevfile, aWorkspace } from '../__testUtils__/workspaces';
import { useGateways } from './__testUtils__/gateways';

describe.each(['path', 'host'] as const)(
  'what IdeGateway forwards, by %s',
  form => {
    const { closeAfterwards, createGateway, startUpstream } = useGateways();

    it('forwards neither our cookie nor the credential of the portal', async () => {
      const { ask, ide, signIn } = await createGateway(form);
      const { cookie } = await signIn();
      const page = await ask(ide, {
        headers: {
          cookie: `${cookie}; backstage-auth=portal; theme=dark`,
          authorization: 'Bearer portal-token',
        },
      });

      const { headers } = JSON.parse(page.body);
      expect(headers.cookie).toBe('theme=dark');
      expect(headers.authorization).toBeUndefined();
      expect(headers.host).toBe(new URL(ide).host);
      expect(page.headers['set-cookie']).toEqual([
        `app=1; Path=${new URL(ide).pathname}`,
      ]);
    });

    it('treats a path with two slashes as a path, never as another host', async () => {
      const { access, ask, ide, signIn, workspace } = await createGateway(form);
      const { cookie } = await signIn();
      for (const path of ['//', '//[', '//evil.example/x']) {
        const page = await ask(`${ide.slice(0, -1)}${path}`, {
          headers: { cookie },
        });
        expect(page.status).toBe(200);
        expect(JSON.parse(page.body).url).toBe(path);
      }
      const { url } = await access.issueTicket(workspace);
      const ticket = new URL(url).search;
      const answer = await ask(`${ide}/evil.example/${ticket}`);
      expect(answer.headers.location).toBe(
        `${new URL(ide).pathname}evil.example/`,
      );
    });

    it('ignores forwarding headers of clients', async () => {
      const { ask, ide, signIn } = await createGateway(form);
      const { cookie } = await signIn();
      const page = await ask(ide, {
        headers: {
          cookie,
          forwarded: 'host=evil.example',
          'x-forwarded-host': 'evil.example',
          'x-forwarded-for': '203.0.113.9',
          'x-forwarded-user': 'admin',
        },
      });
      const { headers } = JSON.parse(page.body);
      expect(headers).toMatchObject({
        'x-forwarded-host': new URL(ide).host,
        'x-forwarded-for': '127.0.0.1',
        'x-forwarded-proto': form === 'host' ? 'https' : 'http',
      });
      expect(headers.forwarded).toBeUndefined();
      expect(headers['x-forwarded-user']).toBeUndefined();
    });

    it('ends a response that its IDE did not finish', async () => {
      const { ask, targets, ide, signIn, workspace } =
        await createGateway(form);
      const { cookie } = await signIn();
      const dying = createServer((_req, res) => {
        res.writeHead(200, { 'Content-Length': '100' });
        res.write('begun', () => res.destroy());
      });
      await new Promise<void>(resolve =>
        dying.listen(0, '127.0.0.1', () => resolve()),
      );
      closeAfterwards(async () => dying.close());
      const { port } = dying.address() as AddressInfo;
      targets.open(workspace.id, {
        kind: 'origin',
        url: `http://127.0.0.1:${port}`,
      });
      await expect(ask(ide, { headers: { cookie } })).rejects.toThrow(
        /aborted|hang up/,
      );
    });

    it('redirects to the portal if the workspace is not running', async () => {
      const { ask, ide, runtime, signIn, access, store } =
        await createGateway(form);
      const { cookie } = await signIn();
      const stopped = aWorkspace({ status: 'Stopped' });
      await store.insert(stopped);
      const session = await access.openSession(stopped);
      const name = cookie.split('=')[0];
      const answer = await ask(ide.replace(/workspace-\d+/, stopped.id), {
        headers: { cookie: `${name}=${session.token}` },
      });
      expect(answer).toMatchObject({
        status: 503,
        body: '{"error":"The workspace is not running"}',
      });
      expect(runtime.running.size).toBe(0);
    });

    it('tells visitors of a port what to do until it responds', async () => {
      const { addresses, ask, runtime, signIn, targets, used, workspace } =
        await createGateway(form);
      const { cookie } = await signIn({ port: 8080 });
      const get = (port: number, method = 'GET') =>
        ask(addresses.endpoint(workspace.id, port), {
          method,
          headers: { cookie, accept: method === 'GET' ? 'text/html' : '*/*' },
        });

      const closed = await get(8080);
      expect(closed.status).toBe(502);
      expect(closed.headers['content-type']).toContain('text/html');
      expect(closed.headers['content-security-policy']).toMatch(
        /^frame-ancestors .*script-src 'sha256-/,
      );
      expect(closed.body).toContain(
        '<h1>No process of this workspace is listening on port 8080</h1>',
      );
      expect(closed.body).toContain(
        `href="http://localhost:3000/workspaces/${workspace.id}"`,
      );
      // The request that the page repeats while it waits.
      expect((await get(8080, 'HEAD')).status).toBe(502);
      expect(used).toEqual([]);
      expect((await get(7007)).body).toContain(
        'start it with its latest devfile',
      );

      runtime.ports.set(`${workspace.id}:8080`, { host: '127.0.0.1', port: 1 });
      const silent = await get(8080);
      expect(silent.body).toContain('The process on port 8080 did not respond');
      expect(silent.body).not.toContain('<script>');

      await targets.close(workspace.id);
      const again = await signIn({ port: 8080 });
      const stopped = await ask(addresses.endpoint(workspace.id, 8080, '/a'), {
        headers: { cookie: again.cookie, accept: 'text/html' },
      });
      expect(stopped.headers.location).toBe(
        `http://localhost:3000/workspaces/${workspace.id}/open?port=8080&return=%2Fa`,
      );
    });

    it('redirects to the page of a workspace that runs without an IDE', async () => {
      const { ask, ide, signIn, targets, workspace } =
        await createGateway(form);
      const { cookie } = await signIn();
      targets.open(workspace.id, { kind: 'none' });
      const answer = await ask(ide, {
        headers: { cookie, accept: 'text/html' },
      });
      expect(answer.headers.location).toBe(
        `http://localhost:3000/workspaces/${workspace.id}`,
      );
    });

    it('reaches declared ports alone, and only where the workspace listens', async () => {
      const { addresses, ask, runtime, signIn, store, targets, workspace } =
        await createGateway(form);
      const server = await startUpstream(upstream =>
        upstream.listen(0, '127.0.0.1'),
      );
      const { port } = server.address() as AddressInfo;
      const endpoint = addresses.endpoint(workspace.id, 8080, '/app');
      const { cookie } = await signIn({ port: 8080 });
      const get = (address: string) => ask(address, { headers: { cookie } });

      expect(await get(endpoint)).toMatchObject({
        status: 502,
        body: '{"error":"No process of this workspace is listening on port 8080"}',
      });
      for (const target of [8080, 9090, 7007]) {
        runtime.ports.set(`${workspace.id}:${target}`, {
          host: '127.0.0.1',
          port,
        });
      }
      expect(JSON.parse((await get(endpoint)).body).url).toBe('/app');
      const moved = await get(addresses.endpoint(workspace.id, 8080, '/moved'));
      expect(moved.headers.location).toBe(
        new URL(addresses.endpoint(workspace.id, 8080, '/login')).pathname,
      );
      for (const undeclared of [9090, 7007]) {
        const answer = await get(addresses.endpoint(workspace.id, undeclared));
        expect(answer).toMatchObject({
          status: 502,
          body: JSON.stringify({
            error: `Port ${undeclared} is not an endpoint of this workspace's devfile`,
          }),
        });
      }

      const devfile = aDevfile([{ targetPort: 9090 }]);
      await store.update(workspace.id, { devfile });
      targets.open(workspace.id, { kind: 'none' });
      const added = await get(addresses.endpoint(workspace.id, 9090));
      expect(added.status).toBe(200);
    });
  },
);
