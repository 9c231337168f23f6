import { createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { RegisteredEndpoint } from '../WebhookEndpoints.ts';

const SECRET = 'a secret between two';

/** A webhook receiver that checks every signature and responds as configured. */
export class Receiver {
  readonly received: { id: string; event: string; body: unknown }[] = [];
  /** The number of requests received. */
  asked = 0;
  /** Returns the status of the response; undefined to send none. */
  answer: (request: IncomingMessage) => number | undefined = () => 204;
  readonly #server: Server = createServer(async (req, res) => {
    const body = await text(req);
    const expected = createHmac('sha256', SECRET).update(body).digest('hex');
    if (req.headers['x-slipway-signature-256'] !== `sha256=${expected}`) {
      res.writeHead(401).end();
      return;
    }
    this.asked += 1;
    const status = this.answer(req);
    if (status === undefined) {
      return;
    }
    if (status < 300) {
      this.received.push({
        id: String(req.headers['x-slipway-delivery']),
        event: String(req.headers['x-slipway-event']),
        body: JSON.parse(body),
      });
    }
    res.writeHead(status, { location: '/elsewhere' }).end();
  });

  async listen(): Promise<RegisteredEndpoint> {
    await new Promise<void>(resolve => {
      this.#server.listen(0, '127.0.0.1', resolve);
    });
    const { port } = this.#server.address() as AddressInfo;
    return {
      id: 'receiver',
      url: `http://127.0.0.1:${port}/hook`,
      secret: SECRET,
      events: ['thing.made'],
    };
  }

  close() {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}
