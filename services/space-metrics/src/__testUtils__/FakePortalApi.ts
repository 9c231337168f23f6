import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { FakeNotifications } from './FakeNotifications.ts';

type Answer = (url: URL) => unknown;

const NOTIFICATIONS = '/api/notifications/notifications';

/** A fake of the portal's API, with responses set by tests for each path. */
export class FakePortalApi {
  /** Responds to everything with 503 while true. */
  down = false;
  readonly requests: { path: string; authorization?: string }[] = [];
  readonly notifications = new FakeNotifications();
  readonly #answers = new Map<string, Answer>();
  readonly #server: Server;

  private constructor() {
    this.#server = createServer(async (request, response) => {
      const url = new URL(request.url ?? '/', 'http://portal');
      const { authorization } = request.headers;
      this.requests.push({ path: url.pathname, authorization });
      const { status, body } = this.down
        ? { status: 503, body: { error: 'no' } }
        : await this.#answer(url, request);
      if (status === 0) {
        request.socket.destroy();
        return;
      }
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(body));
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

  /** Returns the current response for a path. */
  answerOf(path: string): Answer {
    const answer = this.#answers.get(path);
    if (!answer) {
      throw new Error(`Nothing is answered to ${path}`);
    }
    return answer;
  }

  /** Responds with users of the catalog, in pages like the catalog. */
  answerUsers(users: () => readonly unknown[]): void {
    this.answer('/api/catalog/entities/by-query', ({ searchParams }) => {
      const from = Number(searchParams.get('cursor') ?? 0);
      const to = from + Number(searchParams.get('limit'));
      const all = users();
      return {
        items: all.slice(from, to),
        totalItems: all.length,
        pageInfo: to < all.length ? { nextCursor: String(to) } : {},
      };
    });
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise(resolve => {
      this.#server.close(resolve);
    });
  }

  async #answer(
    url: URL,
    request: IncomingMessage,
  ): Promise<{ status: number; body: unknown }> {
    if (url.pathname === NOTIFICATIONS && request.method === 'POST') {
      return this.notifications.take({
        authorization: request.headers.authorization,
        body: await json(request),
      });
    }
    const answer = this.#answers.get(url.pathname);
    return answer
      ? { status: 200, body: await answer(url) }
      : { status: 404, body: { error: 'no' } };
  }
}
