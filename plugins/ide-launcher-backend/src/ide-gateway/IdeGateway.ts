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
import { GatewayRoute, IdeTargets } from './ideRoutes';
import { IdeProxy, TrafficMeter } from './IdeProxy';
import { PortFault } from './portPage';

/** An open connection, and a function that checks whether its session is still valid. */
interface OpenSocket {
  socket: Duplex;
  isAllowed(): Promise<boolean>;
}

/**
 * The WebSocket connections to each workspace, tracked so that they can be closed with the
 * workspace or with their session.
 */
class OpenSockets {
  readonly #sockets = new Map<string, Set<OpenSocket>>();

  /** Tracks a socket while it is open. */
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

  /** Closes all connections to a workspace. */
  disconnect(workspaceId: string): void {
    for (const { socket } of this.#sockets.get(workspaceId) ?? []) {
      socket.destroy();
    }
  }

  /** Closes connections whose session has expired or was revoked, here or by another replica. */
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

/** Dependencies of {@link IdeGateway}. */
interface IdeGatewayOptions extends BrowserSessionsOptions {
  targets: IdeTargets;
  /** Called whenever a request, or the traffic of a WebSocket, counts as use of a workspace. */
  onUse(workspaceId: string): void;
  /** The URL at which browsers reach the portal, without a trailing slash. */
  portalUrl: string;
  logger: LoggerService;
}

/**
 * The entry point to the IDEs. It has its own listener because a page of an IDE must never share
 * an origin with the portal, and because Backstage's routers do not see WebSocket upgrades.
 * Every request and upgrade needs a session in a host-only cookie, obtained with a one-time
 * ticket or the owner's portal session.
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

  /** Starts listening and returns the port. @throws Error if the address is in use. */
  async listen(options: { host: string; port: number }): Promise<number> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(options.port, options.host, resolve);
    });
    // A failed accept, e.g. because of too many open files, must not crash the portal.
    this.#server.on('error', error =>
      this.#options.logger.error('The IDE gateway failed', error),
    );
    const address = this.#server.address();
    return typeof address === 'object' && address ? address.port : options.port;
  }

  /** Closes WebSocket connections whose session has ended. */
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
      const fault = await this.#faultOf(route);
      this.#directions.notAnswering(req, res, { route, fault });
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
          this.#directions.notAnswering(req, res, { route, fault: 'silent' });
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
    // The proxy removes our cookie from the request.
    const { cookie } = req.headers;
    const isAllowed = () => this.#sessions.has(cookie, route);
    // Tracked before the first await, so that a revocation or a shutdown of the gateway cannot miss it.
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
      // Closed with the other open sockets while the target was being resolved.
      return;
    }
    onUse(route.workspaceId);
    const meter = new TrafficMeter({ onUse: () => onUse(route.workspaceId) });
    socket.on('data', chunk => meter.add(chunk.length));
    this.#proxy.upgrade(req, socket, head, { route, target });
  }

  /** Returns why a route has no target. */
  async #faultOf({ port, workspaceId }: GatewayRoute): Promise<PortFault> {
    const { targets } = this.#options;
    if (port !== null && !(await targets.isEndpoint(workspaceId, port))) {
      return 'undeclared';
    }
    return targets.isOpen(workspaceId) ? 'closed' : 'stopped';
  }

  #route(req: IncomingMessage): GatewayRoute | undefined {
    return this.#options.addresses.route({
      host: req.headers.host ?? '',
      url: req.url ?? '/',
    });
  }
}
