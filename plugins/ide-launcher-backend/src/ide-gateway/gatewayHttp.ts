import { IncomingMessage, ServerResponse } from 'node:http';
import { Duplex } from 'node:stream';
import { TICKET_PARAMETER } from './IdeAccessService';
import { GatewayRoute, IdeAddresses } from './IdeAddresses';

/**
 * Splits a path and its query as text: the URL parser takes `//host/` for
 * another host, and throws where it does not like that host's name.
 */
export function splitPath(path: string): {
  pathname: string;
  query: URLSearchParams;
} {
  const [pathname, ...query] = path.split('?');
  return { pathname, query: new URLSearchParams(query.join('?')) };
}

/** The path to send a browser to; never one that names another host. */
export function withoutTicket(path: string): string {
  const { pathname, query } = splitPath(path);
  query.delete(TICKET_PARAMETER);
  const search = query.toString();
  return pathname.replace(/^[/\\]+/, '/') + (search && `?${search}`);
}

/** Returns whether a person's browser asks for a page, and not a program or a page for its parts. */
function isNavigation(req: IncomingMessage): boolean {
  return (
    req.method === 'GET' &&
    (req.headers.accept ?? '').includes('text/html') &&
    ['document', undefined].includes(
      req.headers['sec-fetch-dest'] as string | undefined,
    )
  );
}

/** Ends a request with an error in the format of group A. */
export function answer(
  res: ServerResponse,
  status: number,
  error: string,
): void {
  res.statusCode = status;
  res.setHeader('Content-Type', 'application/json; charset=utf-8');
  res.end(JSON.stringify({ error }));
}

/** Sends a browser elsewhere; never from a cache, for where it goes depends on its session. */
export function redirect(res: ServerResponse, location: string): void {
  res.statusCode = 303;
  res.setHeader('Location', location);
  res.setHeader('Cache-Control', 'no-store');
  res.end();
}

/**
 * Ends an upgrade that is not admitted, whether the client goes too or holds on:
 * the server's time limits know nothing of a socket whose upgrade was asked for.
 *
 * @param status - code and reason phrase.
 */
export function refuseUpgrade(socket: Duplex, status: string): void {
  socket.once('finish', () => socket.destroy());
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\n\r\n`);
}

const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Returns whether a page of another origin wants to write here or to open a socket; whatever cookie its visitor has, it must not. */
export function isForeignWrite(
  req: IncomingMessage,
  route: Pick<GatewayRoute, 'workspaceId' | 'port'>,
  addresses: IdeAddresses,
): boolean {
  const { origin } = req.headers;
  const upgrade = req.headers.upgrade !== undefined;
  if (!origin || (SAFE_METHODS.has(req.method ?? 'GET') && !upgrade)) {
    return false;
  }
  return origin !== new URL(addresses.of(route)).origin;
}

/**
 * Returns whether a page of another origin wants an IDE's answer as a part of itself.
 * With a host per workspace all hosts are of one site, and browsers send the
 * cookies of one along with requests that a page of another makes. The ports of
 * a workspace are left out: they are meant to be called by each other.
 */
export function isForeignEmbedding(
  req: IncomingMessage,
  route: Pick<GatewayRoute, 'port'>,
): boolean {
  const site = req.headers['sec-fetch-site'];
  return (
    route.port === null &&
    (site === 'same-site' || site === 'cross-site') &&
    req.headers['sec-fetch-mode'] !== 'navigate'
  );
}

/**
 * Says who may show an answer in a frame: the workspace's IDE, which shows
 * previews and its own views so, and nobody else. A policy of the answer's own
 * holds beside this one.
 */
export function setFrameRule(
  res: ServerResponse,
  route: Pick<GatewayRoute, 'workspaceId'>,
  addresses: IdeAddresses,
): void {
  const { origin } = new URL(addresses.ide(route.workspaceId));
  res.setHeader('Content-Security-Policy', `frame-ancestors 'self' ${origin}`);
}

/** Answers what leads nowhere here: people are sent to the portal, programs get an error. */
export class PortalDirections {
  readonly #portalUrl: string;

  /** @param options.portalUrl - Where browsers reach the portal, without a trailing slash. */
  constructor(options: { portalUrl: string }) {
    this.#portalUrl = options.portalUrl;
  }

  /** To a request without a session. */
  withoutSession(
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

  /** To a request for an IDE or a port where nothing answers. */
  notAnswering(
    req: IncomingMessage,
    res: ServerResponse,
    route: GatewayRoute,
  ): void {
    if (route.port !== null) {
      answer(
        res,
        502,
        `No process of this workspace is listening on port ${route.port}`,
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
      `${this.#portalUrl}/workspaces/${route.workspaceId}/open`,
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
