import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

type Answer = (url: URL) => unknown;

/** As much of the portal's API as is asked: what tests say for each path. */
export class FakePortalApi {
  /** Answers nothing but 503 while true. */
  down = false;
  readonly requests: { path: string; authorization?: string }[] = [];
  readonly #answers = new Map<string, Answer>();
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((request, response) => {
      const url = new URL(request.url ?? '/', 'http://portal');
      const { authorization } = request.headers;
      this.requests.push({ path: url.pathname, authorization });
      const answer = this.#answers.get(url.pathname);
      const known = answer ? 200 : 404;
      const status = this.down ? 503 : known;
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(
        JSON.stringify(status === 200 ? answer!(url) : { error: 'no' }),
      );
    });
  }

  static async start(): Promise<FakePortalApi> {
    const portal = new FakePortalApi();
    await new Promise<void>(resolve => {
      portal.#server.listen(0, '127.0.0.1', resolve);
    });
    return portal;
  }

  get baseUrl(): string {
    const { port } = this.#server.address() as AddressInfo;
    return `http://127.0.0.1:${port}`;
  }

  answer(path: string, answer: Answer): void {
    this.#answers.set(path, answer);
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise(resolve => {
      this.#server.close(resolve);
    });
  }
}
