import { mkdtempSync, readdirSync, readlinkSync, rmSync } from 'node:fs';
import { connect, createServer, Server } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { SandboxSockets } from './SandboxSockets';

describe.runIf(process.platform === 'linux')('SandboxSockets', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'sockets-'));
  const ide = path.join(folder, 'ide.sock');
  const agent = path.join(folder, 'agent.sock');
  const servers: Server[] = [];

  afterAll(async () => {
    await Promise.all(
      servers.map(server => new Promise(resolve => server.close(resolve))),
    );
    rmSync(folder, { recursive: true });
  });

  async function listen(file: string) {
    const server = createServer(socket => socket.end());
    servers.push(server);
    await new Promise<void>(resolve => server.listen(file, resolve));
  }

  /** Returns the descriptors of this process that refer to something in the folder. */
  function held() {
    return readdirSync('/proc/self/fd').filter(descriptor => {
      try {
        return readlinkSync(`/proc/self/fd/${descriptor}`).startsWith(folder);
      } catch {
        return false;
      }
    });
  }

  it('keeps nothing open if one of them is missing', async () => {
    await listen(ide);
    expect(() => SandboxSockets.open({ ide, agent })).toThrow(/ENOENT/);
    expect(held()).toEqual([]);
  });

  it('reaches both until it is closed', async () => {
    await listen(agent);
    const sockets = SandboxSockets.open({ ide, agent });
    for (const file of [sockets.idePath, sockets.agentPath]) {
      await new Promise((resolve, reject) =>
        connect(file).on('error', reject).on('connect', resolve).resume(),
      );
    }
    sockets.close();
    expect(held()).toEqual([]);
  });

  it('leads nowhere once it is closed, even if its descriptors are reused', async () => {
    const closed = SandboxSockets.open({ ide, agent });
    const before = [closed.idePath, closed.agentPath];
    closed.close();
    const others = SandboxSockets.open({ ide, agent });

    expect([others.idePath, others.agentPath]).toEqual(before);
    for (const file of [closed.idePath, closed.agentPath]) {
      const error = await new Promise(resolve =>
        connect(file).on('error', resolve).on('connect', resolve),
      );
      expect(error).toMatchObject({ code: 'ENOENT' });
    }
    others.close();
  });
});
