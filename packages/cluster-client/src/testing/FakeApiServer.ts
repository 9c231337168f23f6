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
  ObjectStore,
  type StoredEvent,
  type StoredObject,
} from './ObjectStore.ts';

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

interface Target {
  plural: string;
  namespace: string;
  name: string;
}

/**
 * A fake API server of a cluster: real HTTP with watch streams, resource versions, and
 * the faults that clusters have. Rejects invalid objects.
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

  /** Returns whether the cluster serves a path of an API group. */
  protected knows(_pathname: string): boolean {
    return true;
  }

  /** Serves a subresource, such as a log. @returns false if it is none. */
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
    const answer: RequestListener = (req, res) => {
      this.#answer(req, res).catch(error => {
        res.writeHead(500).end(String(error));
      });
    };
    this.#server = this.#tls
      ? createTlsServer(this.#tls, answer)
      : createServer(answer);
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

  async #answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const url = new URL(req.url ?? '/', this.url);
    const request: SeenRequest = {
      method: req.method ?? 'GET',
      path: url.pathname,
      watch: url.searchParams.get('watch') === 'true',
      body: await readJson(req),
    };
    this.seen.push(request);
    if (req.headers.authorization !== `Bearer ${API_TOKEN}`) {
      fail(res, { code: 401, reason: 'Unauthorized', message: 'Unauthorized' });
      return;
    }
    const fault = this.fault(request);
    if (fault === 'drop') {
      req.socket.destroy();
    } else if (fault === 'hang') {
      // Never responds.
    } else if (fault) {
      fail(res, fault);
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
    } else if (request.method === 'GET' && !target.name) {
      this.#list(target, url, res);
    } else if (request.method === 'POST') {
      this.#create(target, request.body as unknown as StoredObject, res);
    } else {
      this.#one(target, request, req, res);
    }
  }

  #list({ namespace, plural }: Target, url: URL, res: ServerResponse): void {
    const items = this.store
      .list(plural)
      .filter(
        object =>
          (!namespace || object.metadata.namespace === namespace) &&
          matches(object, url.searchParams.get('labelSelector')),
      );
    send(res, 200, {
      kind: 'List',
      metadata: { resourceVersion: `${this.store.version}` },
      items,
    });
  }

  #watch(plural: string, url: URL, res: ServerResponse): void {
    const from = Number(url.searchParams.get('resourceVersion'));
    if (from < this.store.oldest) {
      fail(res, {
        code: 410,
        reason: 'Expired',
        message: 'too old resource version',
      });
      return;
    }
    const selector = url.searchParams.get('labelSelector');
    const tell = ({ object, plural: of, type }: StoredEvent) => {
      if (of === plural && matches(object, selector)) {
        res.write(`${JSON.stringify({ type, object })}\n`);
      }
    };
    res.writeHead(200, { 'content-type': 'application/json' });
    res.flushHeaders();
    this.#watches.add(res);
    this.store.history.filter(({ version }) => version > from).forEach(tell);
    const unsubscribe = this.store.onEvent(tell);
    res.on('close', () => {
      this.#watches.delete(res);
      unsubscribe();
    });
  }

  #create(
    { namespace, plural }: Target,
    object: StoredObject,
    res: ServerResponse,
  ): void {
    if (
      namespace &&
      plural !== 'namespaces' &&
      !this.store.get('namespaces', '', namespace)
    ) {
      fail(res, notFound('namespaces', namespace));
    } else if (this.#refuse(plural, object, res)) {
      // The fault already responded.
    } else if (this.store.get(plural, namespace, object.metadata.name)) {
      fail(res, {
        code: 409,
        reason: 'AlreadyExists',
        message: `${plural} "${object.metadata.name}" already exists`,
      });
    } else {
      send(res, 201, this.store.add(plural, object));
    }
  }

  #one(
    { name, namespace, plural }: Target,
    { body, method }: SeenRequest,
    req: IncomingMessage,
    res: ServerResponse,
  ): void {
    const object = this.store.get(plural, namespace, name);
    if (!object) {
      fail(res, notFound(plural, name));
      return;
    }
    switch (method) {
      case 'PUT': {
        const wanted = body as unknown as StoredObject;
        if (
          wanted.metadata.resourceVersion !== object.metadata.resourceVersion
        ) {
          fail(res, conflict(plural, name));
        } else if (!this.#refuse(plural, wanted, res)) {
          send(
            res,
            200,
            this.store.change(plural, {
              ...wanted,
              status: object.status,
              metadata: { ...wanted.metadata, uid: object.metadata.uid },
            }),
          );
        }
        break;
      }
      case 'PATCH': {
        if (req.headers['content-type'] !== 'application/merge-patch+json') {
          fail(res, {
            code: 415,
            reason: 'UnsupportedMediaType',
            message: `${req.headers['content-type']}`,
          });
          return;
        }
        const patched = {
          ...object,
          spec: { ...object.spec, ...(body?.spec as object) },
        };
        if (!this.#refuse(plural, { ...patched, status: undefined }, res)) {
          send(res, 200, this.store.change(plural, patched));
        }
        break;
      }
      case 'DELETE': {
        const { uid } = (body?.preconditions ?? {}) as { uid?: string };
        if (uid && uid !== object.metadata.uid) {
          fail(res, conflict(plural, name));
          return;
        }
        if (this.finalizers) {
          this.store.change(plural, {
            ...object,
            metadata: {
              ...object.metadata,
              deletionTimestamp: new Date().toISOString(),
            },
          });
        } else {
          this.store.remove(plural, object);
        }
        send(res, 200, { kind: 'Status', status: 'Success' });
        break;
      }
      default:
        send(res, 200, object);
    }
  }

  #refuse(plural: string, object: unknown, res: ServerResponse): boolean {
    const faults = this.#findFaults(plural, JSON.parse(JSON.stringify(object)));
    if (faults.length > 0) {
      this.refused.push(...faults);
      fail(res, { code: 422, reason: 'Invalid', message: faults.join('; ') });
    }
    return faults.length > 0;
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

function matches(object: StoredObject, selector: string | null): boolean {
  return (selector ? selector.split(',') : []).every(term => {
    const [key, value] = term.split('=');
    return object.metadata.labels?.[key] === value;
  });
}

function send(res: ServerResponse, code: number, body: unknown): void {
  res.writeHead(code, { 'content-type': 'application/json' });
  res.end(JSON.stringify(body));
}

function fail(
  res: ServerResponse,
  fault: { code: number; reason: string; message: string; details?: object },
): void {
  send(res, fault.code, {
    kind: 'Status',
    apiVersion: 'v1',
    status: 'Failure',
    ...fault,
  });
}

function notFound(kind: string, name: string) {
  return {
    code: 404,
    reason: 'NotFound',
    message: `${kind} "${name}" not found`,
    details: { name, kind },
  };
}

function conflict(plural: string, name: string) {
  return {
    code: 409,
    reason: 'Conflict',
    message: `Operation cannot be fulfilled on ${plural} "${name}": the object has been modified`,
  };
}
