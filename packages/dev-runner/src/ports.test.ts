import { type AddressInfo, createServer, type Server } from 'node:net';
import { findTakenPorts } from './ports.ts';

function listen(host: string): Promise<{ server: Server; port: number }> {
  return new Promise(resolve => {
    const server = createServer().listen(0, host, () =>
      resolve({ server, port: (server.address() as AddressInfo).port }),
    );
  });
}

describe('findTakenPorts', () => {
  it.each(['127.0.0.1', '0.0.0.0'])(
    'names the port, the part that needs it and the process on %s that has it',
    async host => {
      const { server, port } = await listen(host);

      const taken = await findTakenPorts([{ name: 'backend', ports: [port] }]);

      server.close();
      expect(taken).toHaveLength(1);
      expect(taken[0]).toContain(`port ${port}, which backend needs`);
      expect(taken[0]).toContain(`taken by process ${process.pid} (`);
    },
  );

  it('reports nothing for a free port', async () => {
    const { server, port } = await listen('127.0.0.1');
    await new Promise(resolve => server.close(resolve));

    expect(await findTakenPorts([{ name: 'app', ports: [port] }])).toEqual([]);
  });
});
