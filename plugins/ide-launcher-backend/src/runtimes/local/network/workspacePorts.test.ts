import { createServer } from 'node:http';
import { AddressInfo } from 'node:net';
import { parseSocketTable, WorkspacePorts } from './workspacePorts';

describe('parseSocketTable', () => {
  it('reads the sockets that listen', () => {
    const table = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:0BB8 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 4242 1 0 100 0 0 10 0
   1: 0100007F:1F90 0100007F:C350 01 00000000:00000000 00:00000000 00000000  1000        0 4243 1 0 20 4 30 10 -1
`;
    expect(parseSocketTable(table)).toEqual([
      { address: '0100007F', port: 3000, inode: '4242' },
    ]);
  });
});

describe.runIf(process.platform === 'linux')('WorkspacePorts', () => {
  it('finds the ports of a workspace, and looks at its processes once for several', async () => {
    const servers = await Promise.all(
      [1, 2, 3].map(async () => {
        const server = createServer();
        await new Promise<void>(resolve =>
          server.listen(0, '127.0.0.1', resolve),
        );
        return server;
      }),
    );
    onTestFinished(() => servers.forEach(server => server.close()));
    const numbers = servers.map(
      server => (server.address() as AddressInfo).port,
    );
    let searches = 0;
    const ports = new WorkspacePorts('cafe', async () => {
      searches += 1;
      return [{ pid: process.pid, workspaceId: 'workspace-1' }];
    });

    const find = (id: string) =>
      Promise.all(numbers.map(port => ports.find(id, port)));
    expect(await find('workspace-1')).toEqual(
      numbers.map(port => ({ host: '127.0.0.1', port })),
    );
    expect(searches).toBe(1);
    expect(await find('workspace-2')).toEqual([null, null, null]);
  });
});
