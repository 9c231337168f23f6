import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, Server, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Harness, never, WORKSPACE_ID } from '../__testUtils__/harness';
import { InstallationPaths } from '../files/WorkspacePaths';
import { withoutIsolation } from '../sandbox/isolation';
import { describeIsolation } from '../sandbox/Sandbox';
import { IdeProcess, isHealthy } from './IdeProcess';
import { markVariable } from './processTable';

describe('health checks of an editor', () => {
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

  it('end with their signal', async () => {
    const abort = new AbortController();
    await listen(() => abort.abort());
    const begun = performance.now();
    expect(await isHealthy(address, abort.signal)).toBe(false);
    // Without the signal, the check would end after two seconds.
    expect(performance.now() - begun).toBeLessThan(1_900);
  });

  it('end with the editor, whose end is the cause even if the time is over', async () => {
    const harness = new Harness();
    onTestFinished(() => harness.close());
    const { agentFile, lease, limits } = harness.options();
    const installation = new InstallationPaths(harness.dataDir);
    const paths = {
      ...installation.of(WORKSPACE_ID),
      socket: address.socket,
    };
    mkdirSync(paths.logs, { recursive: true });
    const asked = path.join(paths.root, 'asked');
    const connected = new Promise(resolve => void listen(resolve));
    const launched = IdeProcess.launch({
      editor: {
        editor: { id: 'silent', title: 'Silent', version: null },
        healthPath: address.path,
        command: () => [
          '/bin/sh',
          '-c',
          `until [ -e '${asked}' ]; do sleep 0.05; done; exit 3`,
        ],
      },
      paths,
      folder: paths.root,
      env: { PATH: process.env.PATH ?? '' },
      mark: markVariable({
        installation: installation.installation,
        workspaceId: WORKSPACE_ID,
      }).join('='),
      sandbox: null,
      workspaceId: WORKSPACE_ID,
      isolation: describeIsolation(withoutIsolation(''), limits.memoryBytes),
      readable: [],
      leaseFile: installation.lease,
      options: { agentFile, lease, limits: { ...limits, startTimeoutMs: 50 } },
      signal: never,
      onLine: () => undefined,
    }).catch((error: Error) => error.message);
    await connected;
    await sleep(100);
    writeFileSync(asked, '');

    expect(await launched).toBe(
      'The editor ended with exit code 3 before it was ready',
    );
  });
});
