import { once } from 'node:events';
import { createServer, get } from 'node:http';
import { AddressInfo } from 'node:net';
import express from 'express';
import { sendCsv } from './present';

it('stops reading without an error when the client disconnects', async () => {
  let reading = true;
  async function* endless() {
    try {
      for (let n = 0; ; n++) {
        yield n;
      }
    } finally {
      reading = false;
    }
  }
  let outcome: unknown = 'pending';
  const app = express();
  app.get('/', (_req, res) => {
    const file = { name: 'n.csv', columns: { n: (n: number) => n } };
    sendCsv(res, { ...file, items: endless() }).then(
      () => (outcome = 'ended'),
      error => (outcome = error),
    );
  });
  const server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const request = get({ port, host: '127.0.0.1' });
  const [response] = await once(request, 'response');
  await once(response, 'data');
  request.destroy();

  await vi.waitFor(() => expect(outcome).toBe('ended'));
  expect(reading).toBe(false);
  server.close();
});
