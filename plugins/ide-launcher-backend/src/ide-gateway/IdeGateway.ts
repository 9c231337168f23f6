import {
  createServer,
  IncomingMessage,
  Server,
  ServerResponse,
} from 'node:http';
import { Duplex } from 'node:stream';
import { LoggerService } from '@backstage/backend-plugin-api';
import { BrowserSessions, BrowserSessionsOptions } from './BrowserSessions';
import {
  isForeignEmbedding,
  isForeignWrite,
  setFrameRule,
  answer,
  redirect,
  refuseUpgrade,
  splitPath,
  withoutTicket,
  PortalDirections,
} from './gatewayHttp';
import { TICKET_PARAMETER } from './IdeAccessService';
import { GatewayRoute } from './IdeAddresses';
import { IdeProxy, TrafficMeter } from './IdeProxy';
import { IdeTargets } from './IdeTargets';

/** An open connection, and whether whoever opened it still may have it. */
interface OpenSocket {
  socket: Duplex;
  isAllowed(): Promise<boolean>;
}

/** The WebSocket connections to each workspace, so that they can be ended with it or with their session. */
class OpenSockets {
  readonly #sockets = new Map<string, Set<OpenSocket>>();

  /** Remembers a socket for as long as it is open. */
  add(
    workspaceId: string,
    socket: Duplex,
    isAllowed: () => Promise<boolean>,
  ): void {
    const sockets = this.#sockets.get(workspaceId) ?? new Set();
    const open = { socket, isAllowed };
    this.#sockets.set(workspaceId, sockets.add(open));
    socket.once('close', () => {
      sockets.delete(open);
      if (sockets.size === 0) {
        this.#sockets.delete(workspaceId);
      }
    });
  }

  /** Ends every connection to a workspace. */
  disconnect(workspaceId: string): void {
    for (const { socket } of this.#sockets.get(workspaceId) ?? []) {
      socket.destroy();
    }
  }

  /** Ends the connections whose session is over: expired, or revoked here or by another replica. */
  async recheck(): Promise<void> {
    const open = [...this.#sockets.values()].flatMap(sockets => [...sockets]);
    for (const { socket, isAllowed } of open) {
      if (!(await isAllowed())) {
        socket.destroy();
      }
    }
  }

  disconnectAll(): void {
    for (const workspaceId of [...this.#sockets.keys()]) {
      this.disconnect(workspaceId);
    }
  }
}

/** What an {@link IdeGateway} works with. */
interface IdeGatewayOptions extends BrowserSessionsOptions {
  targets: IdeTargets;
  /** Told of every use of a workspace. */
  onUse(workspaceId: string): void;
  /** The address at which browsers reach the portal, without a trailing slash. */
  portalUrl: string;
  logger: LoggerService;
}

/**
 * The way into the IDEs: a listener of its own, because a page of an IDE must
 * never share an origin with the portal, and because Backstage's routers do not
 * see WebSocket upgrades. Every request and every upgrade shows a session in a
 * host-only cookie, gotten with a one-time ticket or the owner's portal session.
 */
export class IdeGateway {
  readonly #options: IdeGatewayOptions;
  readonly #sessions: BrowserSessions;
  readonly #directions: PortalDirections;
  readonly #proxy: IdeProxy;
  readonly #server: Server;
  readonly #sockets = new OpenSockets();

  constructor(options: IdeGatewayOptions) {
    this.#options = options;
    this.#sessions = new BrowserSessions(options);
    this.#directions = new PortalDirections(options);
    this.#proxy = new IdeProxy(options);
    this.#server = createServer((req, res) => {
      this.#onRequest(req, res).catch(error => {
        options.logger.error('The IDE gateway failed', error);
        if (!res.headersSent) {
          answer(res, 500, 'An internal error occurred');
        }
      });
    });
    this.#server.on('upgrade', (req, socket, head) => {
      socket.on('error', () => socket.destroy());
      this.#onUpgrade(req, socket, head).catch(error => {
        options.logger.error('The IDE gateway failed', error);
        socket.destroy();
      });
    });
    options.access.onRevoked(id => this.#sockets.disconnect(id));
  }

  /** @throws Error when the address is taken. */
  async listen(options: { host: string; port: number }): Promise<number> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(options.port, options.host, resolve);
    });
    // A failed accept, of too many open files perhaps, must not end the portal.
    this.#server.on('error', error =>
      this.#options.logger.error('The IDE gateway failed', error),
    );
    const address = this.#server.address();
    return typeof address === 'object' && address ? address.port : options.port;
  }

  /** Ends WebSocket connections whose session is over. */
  async recheckSockets(): Promise<void> {
    await this.#sockets.recheck();
  }

  async close(): Promise<void> {
    this.#sockets.disconnectAll();
    const closed = new Promise<void>(resolve =>
      this.#server.close(() => resolve()),
    );
    this.#server.closeAllConnections();
    await closed;
  }

  async #onRequest(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const { addresses, onUse, targets } = this.#options;
    const route = this.#route(req);
    res.setHeader('X-Content-Type-Options', 'nosniff');
    res.setHeader('Referrer-Policy', 'same-origin');
    if (!route) {
      answer(res, 404, 'Workspace not found');
      return;
    }
    const ticket = splitPath(route.path).query.get(TICKET_PARAMETER);
    if (
      ticket &&
      req.method === 'GET' &&
      (await this.#sessions.redeem(ticket, route, res))
    ) {
      redirect(res, route.prefix + withoutTicket(route.path));
      return;
    }
    setFrameRule(res, route, addresses);
    if (
      isForeignWrite(req, route, addresses) ||
      isForeignEmbedding(req, route)
    ) {
      answer(res, 403, 'Requests from another origin are not allowed');
      return;
    }
    if (!(await this.#sessions.admit(req, res, route))) {
      this.#directions.withoutSession(req, res, route);
      return;
    }
    const target = await targets.resolve(route);
    if (!target) {
      this.#directions.notAnswering(req, res, route);
      return;
    }
    onUse(route.workspaceId);
    this.#proxy.forward(req, res, {
      route,
      target,
      onError: () => {
        if (res.headersSent) {
          res.destroy();
        } else {
          this.#directions.notAnswering(req, res, route);
        }
      },
    });
  }

  async #onUpgrade(
    req: IncomingMessage,
    socket: Duplex,
    head: Buffer,
  ): Promise<void> {
    const { addresses, onUse, targets } = this.#options;
    const route = this.#route(req);
    if (!route) {
      refuseUpgrade(socket, '404 Not Found');
      return;
    }
    if (isForeignWrite(req, route, addresses)) {
      refuseUpgrade(socket, '403 Forbidden');
      return;
    }
    // The proxy takes our cookie off the request.
    const { cookie } = req.headers;
    const isAllowed = () => this.#sessions.has(cookie, route);
    // Before anything is waited for: a revocation, or the end of the gateway,
    // must not miss it.
    this.#sockets.add(route.workspaceId, socket, isAllowed);
    if (!(await isAllowed())) {
      refuseUpgrade(socket, '401 Unauthorized');
      return;
    }
    const target = await targets.resolve(route);
    if (!target) {
      refuseUpgrade(socket, '503 Service Unavailable');
      return;
    }
    if (socket.destroyed) {
      // Ended as one of the open sockets while the target was looked for.
      return;
    }
    onUse(route.workspaceId);
    const meter = new TrafficMeter({ onUse: () => onUse(route.workspaceId) });
    socket.on('data', chunk => meter.add(chunk.length));
    this.#proxy.upgrade(req, socket, head, { route, target });
  }

  #route(req: IncomingMessage): GatewayRoute | undefined {
    return this.#options.addresses.route({
      host: req.headers.host ?? '',
      url: req.url ?? '/',
    });
  }
}
