import {
  createServer,
  IncomingMessage,
  Server,
  ServerResponse,
} from 'node:http';
import { Duplex } from 'node:stream';
import { LoggerService } from '@backstage/backend-plugin-api';
import { IdeCookie, readCookies } from './cookies';
import {
  answer,
  isNavigation,
  redirect,
  refuseUpgrade,
  splitPath,
  withoutTicket,
} from './gatewayHttp';
import { IdeAccessService, TICKET_PARAMETER } from './IdeAccessService';
import { isForeignEmbedding, setFrameRule } from './embedding';
import { GatewayRoute, IdeAddresses } from './IdeAddresses';
import { IdeProxy } from './IdeProxy';
import { IdeTargets } from './IdeTargets';
import { OpenSockets } from './OpenSockets';
import { PortalIdentity } from './PortalIdentity';
import { TrafficMeter } from './TrafficMeter';

/** What an {@link IdeGateway} works with. */
export interface IdeGatewayOptions {
  addresses: IdeAddresses;
  access: IdeAccessService;
  identity: PortalIdentity;
  targets: IdeTargets;
  /** Owner of a workspace; undefined when there is none. */
  ownerOf(workspaceId: string): Promise<string | undefined>;
  /** Told of every use of a workspace. */
  onUse(workspaceId: string): void;
  /** Where browsers reach the portal, without a trailing slash. */
  portalUrl: string;
  logger: LoggerService;
}

const MAX_SESSION_COOKIES = 4;

const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * The door to the IDEs: a listener of its own, because a page of an IDE must
 * never share an origin with the portal, and because Backstage's routers do not
 * see WebSocket upgrades. Every request and every upgrade shows a session in a
 * host-only cookie, gotten with a one-time ticket or the owner's portal session.
 */
export class IdeGateway {
  readonly #options: IdeGatewayOptions;
  readonly #cookie: IdeCookie;
  readonly #proxy: IdeProxy;
  readonly #server: Server;
  readonly #sockets = new OpenSockets();

  constructor(options: IdeGatewayOptions) {
    this.#options = options;
    this.#cookie = new IdeCookie(options.addresses);
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
    const { access, onUse, targets } = this.#options;
    const route = this.#route(req);
    res.setHeader('X-Content-Type-Options', 'nosniff');
    res.setHeader('Referrer-Policy', 'same-origin');
    if (!route) {
      answer(res, 404, 'No such workspace');
      return;
    }
    const ticket = splitPath(route.path).query.get(TICKET_PARAMETER);
    if (ticket && req.method === 'GET') {
      const session = await access.redeemTicket(ticket, route);
      if (session) {
        res.setHeader('Set-Cookie', this.#cookie.serialize(route, session));
        redirect(res, route.prefix + withoutTicket(route.path));
        return;
      }
    }
    setFrameRule(res, route, this.#options.addresses);
    if (!this.#originAllowed(req, route) || isForeignEmbedding(req, route)) {
      answer(res, 403, 'Requests from another origin are not allowed');
      return;
    }
    if (!(await this.#admit(req, res, route))) {
      this.#refuse(req, res, route);
      return;
    }
    const target = await targets.resolve(route);
    if (!target) {
      this.#notAnswering(req, res, route);
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
          this.#notAnswering(req, res, route);
        }
      },
    });
  }

  async #onUpgrade(
    req: IncomingMessage,
    socket: Duplex,
    head: Buffer,
  ): Promise<void> {
    const { onUse, targets } = this.#options;
    const route = this.#route(req);
    // The proxy takes our cookie off the request.
    const cookies = req.headers.cookie;
    if (!route) {
      refuseUpgrade(socket, '404 Not Found');
    } else if (!this.#originAllowed(req, route)) {
      refuseUpgrade(socket, '403 Forbidden');
    } else if (!(await this.#hasSession(cookies, route))) {
      refuseUpgrade(socket, '401 Unauthorized');
    } else {
      const target = await targets.resolve(route);
      if (!target) {
        refuseUpgrade(socket, '503 Service Unavailable');
        return;
      }
      this.#sockets.add(route.workspaceId, socket, () =>
        this.#hasSession(cookies, route),
      );
      onUse(route.workspaceId);
      const meter = new TrafficMeter({
        onUse: () => onUse(route.workspaceId),
      });
      socket.on('data', chunk => meter.add(chunk.length));
      this.#proxy.upgrade(req, socket, head, { route, target });
    }
  }

  #route(req: IncomingMessage): GatewayRoute | undefined {
    return this.#options.addresses.route({
      host: req.headers.host ?? '',
      url: req.url ?? '/',
    });
  }

  /** A page of another origin must neither write here nor open a socket, whatever cookie its visitor has. */
  #originAllowed(req: IncomingMessage, route: GatewayRoute): boolean {
    const { origin } = req.headers;
    const upgrade = req.headers.upgrade !== undefined;
    if (!origin || (SAFE_METHODS.has(req.method ?? 'GET') && !upgrade)) {
      return true;
    }
    return origin === new URL(this.#options.addresses.of(route)).origin;
  }

  /** A planted cookie of our name must not keep the owner out: a few of them are tried. */
  async #hasSession(
    cookies: string | undefined,
    route: GatewayRoute,
  ): Promise<boolean> {
    const tokens = readCookies(cookies, this.#cookie.name);
    for (const token of tokens.slice(0, MAX_SESSION_COOKIES)) {
      if (await this.#options.access.hasSession(token, route.workspaceId)) {
        return true;
      }
    }
    return false;
  }

  /** Whether the request shows a session; the owner's portal session opens one on the way. */
  async #admit(
    req: IncomingMessage,
    res: ServerResponse,
    route: GatewayRoute,
  ): Promise<boolean> {
    const { access, identity, ownerOf } = this.#options;
    if (await this.#hasSession(req.headers.cookie, route)) {
      return true;
    }
    const caller = await identity.ownerOf(req);
    if (!caller || (await ownerOf(route.workspaceId)) !== caller) {
      return false;
    }
    const session = await access.openSession({
      id: route.workspaceId,
      owner: caller,
    });
    res.appendHeader('Set-Cookie', this.#cookie.serialize(route, session));
    return true;
  }

  #refuse(
    req: IncomingMessage,
    res: ServerResponse,
    route: GatewayRoute,
  ): void {
    if (isNavigation(req)) {
      redirect(res, this.#openPage(route));
    } else {
      answer(res, 401, 'Open this IDE from the portal');
    }
  }

  #notAnswering(
    req: IncomingMessage,
    res: ServerResponse,
    route: GatewayRoute,
  ): void {
    if (route.port !== null) {
      answer(
        res,
        502,
        `Nothing of this workspace listens on port ${route.port}`,
      );
    } else if (isNavigation(req)) {
      redirect(res, this.#openPage(route));
    } else {
      answer(res, 503, 'The workspace is not running');
    }
  }

  /** The portal's page that gets a ticket, starting the workspace if need be, and comes back here. */
  #openPage(route: GatewayRoute): string {
    const page = new URL(
      `${this.#options.portalUrl}/workspaces/${route.workspaceId}/open`,
    );
    if (route.port !== null) {
      page.searchParams.set('port', String(route.port));
    }
    const path = withoutTicket(route.path);
    if (path !== '/') {
      page.searchParams.set('return', path);
    }
    return page.toString();
  }
}
