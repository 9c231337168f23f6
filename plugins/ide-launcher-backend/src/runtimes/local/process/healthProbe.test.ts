import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, Server, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { isHealthy } from './IdeProcess';

describe('isHealthy', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'probe-'));
  const address = { socket: path.join(folder, 'ide.sock'), path: '/healthz' };
  const clients = new Set<Socket>();
  let server: Server;

  /** Listens in place of an editor, and responds as specified. */
  async function listen(answer: (socket: Socket) => void) {
    server = createServer(socket => {
      clients.add(socket);
      socket.on('error', () => undefined).on('data', () => answer(socket));
    });
    await new Promise<void>(resolve => {
      server.listen(address.socket, resolve);
    });
  }

  afterEach(async () => {
    clients.forEach(socket => socket.destroy());
    await new Promise(resolve => server.close(resolve));
  });

  afterAll(() => rmSync(folder, { recursive: true }));

  it.each([
    ['200 OK', true],
    ['404 Not Found', false],
    ['302 Found', false],
  ])('takes %s for %s, however long the body', async (status, healthy) => {
    await listen(socket => socket.write(`HTTP/1.1 ${status}\r\n\r\nendless`));
    expect(await isHealthy(address)).toBe(healthy);
  });

  it('does not wait for a response that never ends', async () => {
    const timers: NodeJS.Timeout[] = [];
    await listen(socket => {
      socket.write('HTTP/1.1 200 OK\r\nX-Long: ');
      timers.push(setInterval(() => socket.write('x'), 200));
    });
    expect(await isHealthy(address)).toBe(false);
    timers.forEach(clearInterval);
  });
});
