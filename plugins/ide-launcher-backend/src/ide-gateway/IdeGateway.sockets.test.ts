import { createServer } from 'node:http';
import { AddressInfo, connect as dialPort } from 'node:net';
import { Duplex } from 'node:stream';
import { WebSocket } from 'ws';
import { eventually } from '../__testUtils__/eventually';
import { useGateways } from './__testUtils__/gateways';

describe.each(['path', 'host'] as const)(
  'WebSockets through IdeGateway, by %s',
  form => {
    const { closeAfterwards, createGateway } = useGateways();

    it('ends sessions and open sockets when the owner signs out', async () => {
      const { access, ask, connect, gateway, ide, origin, signIn, workspace } =
        await createGateway(form);
      const { cookie } = await signIn();
      const socket = await connect({ cookie, origin }, 'ws');
      if (typeof socket === 'number') {
        throw new Error(`The upgrade was refused with ${socket}`);
      }
      await gateway.recheckSockets();
      expect(socket.readyState).toBe(WebSocket.OPEN);

      const closed = new Promise(resolve => socket.once('close', resolve));
      await access.revokeOwner(workspace.owner);
      await gateway.recheckSockets();
      await closed;
      expect((await ask(ide, { headers: { cookie } })).status).toBe(401);
    });

    it('forwards WebSockets of a session until it is revoked', async () => {
      const { connect, targets, origin, signIn, used, workspace } =
        await createGateway(form);
      await expect(connect({ origin })).resolves.toBe(401);
      const { cookie } = await signIn();
      const socket = await connect({ cookie, origin }, 'ws?x=1');
      if (typeof socket === 'number') {
        throw new Error(`The upgrade was refused with ${socket}`);
      }
      const echoed = new Promise(resolve =>
        socket.once('message', data => resolve(String(data))),
      );
      socket.send('hello');
      await expect(echoed).resolves.toBe('echo hello');
      expect(used).toContain(workspace.id);

      const closed = new Promise(resolve => socket.once('close', resolve));
      await targets.close(workspace.id);
      await closed;
      await expect(connect({ cookie, origin })).resolves.toBe(401);
    });

    it('closes rejected connections even if the client keeps them open', async () => {
      const { gateway, ide, port } = await createGateway(form);
      const { host, pathname } = new URL(ide);
      const client = dialPort({ port, host: '127.0.0.1', allowHalfOpen: true });
      closeAfterwards(async () => client.destroy());
      let answer = '';
      client.on('data', chunk => (answer += chunk));
      client.write(
        `GET ${pathname} HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`,
      );
      await new Promise(resolve => client.once('end', resolve));

      expect(answer).toMatch(/^HTTP\/1\.1 401 Unauthorized\r\n/);
      await gateway.close();
    });

    it('closes connections that are still being authorized', async () => {
      const { access, dial, gateway, origin, signIn } =
        await createGateway(form);
      const { cookie } = await signIn();
      const asked = vi
        .spyOn(access, 'hasSession')
        .mockReturnValue(new Promise(() => {}));
      const socket = dial({ cookie, origin });
      const closed = new Promise(resolve => socket.once('close', resolve));
      await eventually(() => expect(asked).toHaveBeenCalled());

      await gateway.close();
      await closed;
    });

    it('closes the connection to an IDE without a response when the client disconnects', async () => {
      const { dial, targets, origin, signIn, workspace } =
        await createGateway(form);
      const { cookie } = await signIn();
      const reached: Duplex[] = [];
      const silent = createServer().on('upgrade', (_req, socket) => {
        reached.push(socket.on('error', () => {}).resume());
      });
      await new Promise<void>(resolve =>
        silent.listen(0, '127.0.0.1', () => resolve()),
      );
      closeAfterwards(async () => {
        reached.forEach(socket => socket.destroy());
        silent.close();
      });
      const { port } = silent.address() as AddressInfo;
      targets.open(workspace.id, {
        kind: 'origin',
        url: `http://127.0.0.1:${port}`,
      });
      const client = dial({ cookie, origin });
      await eventually(() => expect(reached).toHaveLength(1));
      client.terminate();

      await eventually(() => expect(reached[0].readableEnded).toBe(true));
    });
  },
);
