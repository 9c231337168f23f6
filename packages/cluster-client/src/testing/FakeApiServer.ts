import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import {
  type Answer,
  answerRequest,
  failure,
  matches,
  type Target,
} from './answerRequest.ts';
import { ObjectStore, type StoredEvent } from './ObjectStore.ts';

export const API_TOKEN = 'cluster-token';

/**
 * A fault that replaces the response to a request. `drop`: closes the connection without a
 * response.
 */
export type Fault =
  { code: number; reason: string; message: string } | 'drop' | 'hang';

/** A request as seen by fault functions and tests. */
export interface SeenRequest {
  method: string;
  path: string;
  watch: boolean;
  body?: Record<string, unknown>;
}

/**
 * A fake API server of a cluster: real HTTP with watch streams, resource versions, and the faults
 * of real clusters. Rejects invalid objects.
 */
export class FakeApiServer {
  readonly store = new ObjectStore();
  readonly seen: SeenRequest[] = [];
  /** Validation errors of the objects that were sent. */
  readonly refused: string[] = [];
  /**
   * If true, deleted objects remain and are only marked as deleted, as with finalizers.
   */
  finalizers = false;
  /** Called for each request; a returned fault replaces the response. */
  fault: (request: SeenRequest) => Fault | undefined = () => undefined;
  readonly #watches = new Set<ServerResponse>();
  readonly #tls: { key: string; cert: string } | undefined;
  readonly #findFaults: (plural: string, object: unknown) => string[];
  #server: Server | undefined;
  #port = 0;

  /** @param options.tls - key and certificate for HTTPS. */
  constructor(options: {
    tls?: { key: string; cert: string };
    findFaults(plural: string, object: unknown): string[];
  }) {
    this.#tls = options.tls;
    this.#findFaults = options.findFaults;
  }

  /** Checks whether the cluster serves a path of an API group. */
  protected knows(_pathname: string): boolean {
    return true;
  }

  /** Serves a subresource, such as a log. @returns false if the path is not one. */
  protected serveOther(
    _url: URL,
    _request: SeenRequest,
    _res: ServerResponse,
  ): boolean {
    return false;
  }

  /** Serves an upgrade request, e.g. for a WebSocket; already authorized. */
  protected upgrade(
    _req: IncomingMessage,
    socket: Duplex,
    _head: Buffer,
  ): void {
    socket.destroy();
  }

  get url(): string {
    return `${this.#tls ? 'https' : 'http'}://127.0.0.1:${this.#port}`;
  }

  /** Starts listening; uses the same port again after {@link stop}. */
  async start(): Promise<void> {
    const listener: RequestListener = (req, res) => {
      this.#respond(req, res).catch(error => {
        res.writeHead(500).end(String(error));
      });
    };
    this.#server = this.#tls
      ? createTlsServer(this.#tls, listener)
      : createServer(listener);
    this.#server.on('upgrade', (req, socket, head) => {
      if (req.headers.authorization === `Bearer ${API_TOKEN}`) {
        this.upgrade(req, socket, head);
      } else {
        socket.end('HTTP/1.1 401 Unauthorized\r\n\r\n');
      }
    });
    await new Promise<void>(resolve =>
      this.#server!.listen(this.#port, '127.0.0.1', resolve),
    );
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  async stop(): Promise<void> {
    const closed = new Promise(resolve => this.#server?.close(resolve));
    this.#server?.closeAllConnections();
    await closed;
  }

  /** Number of open watches. */
  get watching(): number {
    return this.#watches.size;
  }

  /** Breaks every watch, like a failing network. */
  dropWatches(): void {
    this.#watches.forEach(res => res.destroy());
  }

  /** Writes a line to every watch, independently of the store. */
  sendRaw(type: string, object: unknown): void {
    this.#watches.forEach(res =>
      res.write(`${JSON.stringify({ type, object })}\n`),
    );
  }

  async #respond(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const url = new URL(req.url ?? '/', this.url);
    const request: SeenRequest = {
      method: req.method ?? 'GET',
      path: url.pathname,
      watch: url.searchParams.get('watch') === 'true',
      body: await readJson(req),
    };
    this.seen.push(request);
    if (req.headers.authorization !== `Bearer ${API_TOKEN}`) {
      send(
        res,
        failure({
          code: 401,
          reason: 'Unauthorized',
          message: 'Unauthorized',
        }),
      );
      return;
    }
    const fault = this.fault(request);
    if (fault === 'drop') {
      req.socket.destroy();
    } else if (fault === 'hang') {
      // Never responds.
    } else if (fault) {
      send(res, failure(fault));
    } else if (url.pathname.startsWith('/apis/') && !this.knows(url.pathname)) {
      res.writeHead(404, { 'content-type': 'text/plain' });
      res.end('404 page not found\n');
    } else if (!this.serveOther(url, request, res)) {
      this.#serve(request, url, req, res);
    }
  }

  #serve(
    request: SeenRequest,
    url: URL,
    req: IncomingMessage,
    res: ServerResponse,
  ): void {
    const target = parsePath(url.pathname);
    if (request.watch) {
      this.#watch(target.plural, url, res);
      return;
    }
    const answer = answerRequest(
      {
        store: this.store,
        finalizers: this.finalizers,
        findFaults: (plural, object) => this.#validate(plural, object),
      },
      {
        ...request,
        target,
        contentType: req.headers['content-type'],
        labelSelector: url.searchParams.get('labelSelector'),
      },
    );
    send(res, answer);
  }

  #watch(plural: string, url: URL, res: ServerResponse): void {
    const from = Number(url.searchParams.get('resourceVersion'));
    if (from < this.store.oldest) {
      send(
        res,
        failure({
          code: 410,
          reason: 'Expired',
          message: 'too old resource version',
        }),
      );
      return;
    }
    const selector = url.searchParams.get('labelSelector');
    const sendEvent = ({ object, plural: of, type }: StoredEvent) => {
      if (of === plural && matches(object, selector)) {
        res.write(`${JSON.stringify({ type, object })}\n`);
      }
    };
    res.writeHead(200, { 'content-type': 'application/json' });
    res.flushHeaders();
    this.#watches.add(res);
    this.store.history
      .filter(({ version }) => version > from)
      .forEach(sendEvent);
    const unsubscribe = this.store.onEvent(sendEvent);
    res.on('close', () => {
      this.#watches.delete(res);
      unsubscribe();
    });
  }

  #validate(plural: string, object: unknown): string[] {
    const faults = this.#findFaults(plural, JSON.parse(JSON.stringify(object)));
    this.refused.push(...faults);
    return faults;
  }
}

async function readJson(
  req: IncomingMessage,
): Promise<Record<string, unknown> | undefined> {
  let text = '';
  for await (const chunk of req) {
    text += chunk;
  }
  return text ? JSON.parse(text) : undefined;
}

/**
 * Parses `/api/v1/namespaces/x`, `/api/v1/namespaces/x/events` and the resources of
 * groups.
 */
function parsePath(path: string): Target {
  const rest = path
    .replace(/^\/(?:api|apis\/[a-z0-9.]+)\/v1[a-z0-9]*(?=\/)/, '')
    .split('/')
    .slice(1);
  if (rest[0] !== 'namespaces') {
    return { plural: rest[0], namespace: '', name: rest[1] ?? '' };
  }
  if (rest.length <= 2) {
    return { plural: 'namespaces', namespace: '', name: rest[1] ?? '' };
  }
  return { plural: rest[2], namespace: rest[1], name: rest[3] ?? '' };
}

function send(res: ServerResponse, { code, body }: Answer): void {
  res.writeHead(code, { 'content-type': 'application/json' });
  res.end(JSON.stringify(body));
}
