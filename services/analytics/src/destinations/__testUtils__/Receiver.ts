import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request that arrived. */
export interface Received {
  readonly request: IncomingMessage;
  readonly body: Buffer;
}

/** A receiver that returns the status that a test chooses, and stores what it accepts. */
export class Receiver {
  readonly received: Received[] = [];
  status = 200;
  /** Maximum bytes of a body; longer ones are refused with 413. */
  mostBytes = Infinity;
  /** Number of requests that were too long. */
  tooLarge = 0;
  readonly #server: Server;
  onRequest: ((received: Received) => void) | undefined;

  constructor() {
    this.#server = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) {
        chunks.push(chunk as Buffer);
      }
      const received = { request, body: Buffer.concat(chunks) };
      if (this.onRequest) {
        this.onRequest(received);
        return;
      }
      const isTooLarge = received.body.length > this.mostBytes;
      this.tooLarge += isTooLarge ? 1 : 0;
      const status = isTooLarge ? 413 : this.status;
      if (status === 200) {
        this.received.push(received);
      }
      response.writeHead(status).end();
    });
  }

  async start(): Promise<string> {
    await new Promise<void>(resolve => {
      this.#server.listen(0, '127.0.0.1', resolve);
    });
    const { port } = this.#server.address() as AddressInfo;
    return `http://127.0.0.1:${port}`;
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  /** Lists the uuids that a webhook received. */
  uuids(): string[] {
    return this.received.flatMap(({ body }) =>
      JSON.parse(String(body)).events.map(({ uuid }: { uuid: string }) => uuid),
    );
  }
}
