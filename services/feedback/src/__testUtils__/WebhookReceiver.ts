import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** Accepts webhooks that are signed with its secret; responds to others with 401. */
export class WebhookReceiver {
  readonly secret = 'a secret between two parties';
  readonly received: { id: string; event: string; body: unknown }[] = [];
  /** Statuses of the next responses; once it is empty, deliveries are accepted. */
  readonly refusals: number[] = [];
  readonly #server = createServer(async (request, response) => {
    const body = await text(request);
    const digest = createHmac('sha256', this.secret).update(body).digest('hex');
    const isSigned =
      request.headers['x-slipway-signature-256'] === `sha256=${digest}`;
    const status = isSigned ? (this.refusals.shift() ?? 204) : 401;
    if (status < 300) {
      this.received.push({
        id: String(request.headers['x-slipway-delivery']),
        event: String(request.headers['x-slipway-event']),
        body: JSON.parse(body),
      });
    }
    response.writeHead(status).end();
  });

  async start(): Promise<string> {
    await new Promise<void>(resolve => {
      this.#server.listen(0, '127.0.0.1', resolve);
    });
    const { port } = this.#server.address() as AddressInfo;
    return `http://127.0.0.1:${port}/hook`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise(resolve => {
      this.#server.close(resolve);
    });
  }
}
