import { Client } from 'pg';
import { PostgresServer } from './PostgresServer.ts';

describe('PostgresServer', () => {
  it('answers queries until it is stopped', async () => {
    const server = await PostgresServer.start();
    const client = new Client({ connectionString: server.connectionString });
    await client.connect();
    const { rows } = await client.query('SELECT 40 + 2 AS answer');
    await client.end();
    const expectGone = () =>
      expect(
        new Client({ connectionString: server.connectionString }).connect(),
      ).rejects.toThrow('ECONNREFUSED');

    expect(rows).toEqual([{ answer: 42 }]);
    await server.restart(expectGone);
    const again = new Client({ connectionString: server.connectionString });
    await again.connect();
    await again.end();
    await server.stop();
    await expectGone();
  });
});
