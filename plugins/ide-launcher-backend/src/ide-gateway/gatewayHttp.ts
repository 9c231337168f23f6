import { IncomingMessage, ServerResponse } from 'node:http';
import { Duplex } from 'node:stream';
import { TICKET_PARAMETER } from './IdeAccessService';
import { GatewayRoute, IdeAddresses } from './ideRoutes';
import { describeFault, PortFault, showPortFault } from './portPage';

/**
 * Splits a path and its query as text: the URL parser would interpret `//host/` as another host,
 * and throws if that host's name is invalid.
 */
export function splitPath(path: string): {
  pathname: string;
  query: URLSearchParams;
} {
  const [pathname, ...query] = path.split('?');
  return { pathname, query: new URLSearchParams(query.join('?')) };
}

/** Returns the path to redirect a browser to, without the ticket; never one that names another host. */
export function withoutTicket(path: string): string {
  const { pathname, query } = splitPath(path);
  query.delete(TICKET_PARAMETER);
  const search = query.toString();
  return pathname.replace(/^[/\\]+/, '/') + (search && `?${search}`);
}

/**
 * Returns whether a browser navigates to a page, as opposed to a program or a page that loads
 * its resources.
 */
function isNavigation(req: IncomingMessage): boolean {
  return (
    acceptsPage(req) &&
    ['document', undefined].includes(
      req.headers['sec-fetch-dest'] as string | undefined,
    )
  );
}

/** Returns whether a browser shows the response as a page, in a tab or in a frame. */
function acceptsPage(req: IncomingMessage): boolean {
  return (
    req.method === 'GET' && (req.headers.accept ?? '').includes('text/html')
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

/** Redirects a browser. Not cacheable, because the target depends on its session. */
export function redirect(res: ServerResponse, location: string): void {
  res.statusCode = 303;
  res.setHeader('Location', location);
  res.setHeader('Cache-Control', 'no-store');
  res.end();
}

/**
 * Rejects an upgrade, and closes the socket even if the client keeps it open: the server's
 * timeouts do not apply to sockets with an upgrade.
 *
 * @param status - code and reason phrase.
 */
export function refuseUpgrade(socket: Duplex, status: string): void {
  socket.once('finish', () => socket.destroy());
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\n\r\n`);
}

const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Returns whether a page of another origin sends a write request or opens a WebSocket, which is
 * forbidden even with a valid cookie.
 */
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
 * Returns whether a page of another origin embeds an IDE's response. With one host per
 * workspace, all hosts belong to one site, and browsers send a host's cookies along with
 * requests from pages of the others. Ports of a workspace are exempt: they are meant to call
 * each other.
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
 * Allows only the workspace's IDE to show a response in a frame, as it does for previews and its
 * own views. The response's own policy applies in addition.
 */
export function setFrameRule(
  res: ServerResponse,
  route: Pick<GatewayRoute, 'workspaceId'>,
  addresses: IdeAddresses,
): void {
  const { origin } = new URL(addresses.ide(route.workspaceId));
  res.setHeader('Content-Security-Policy', `frame-ancestors 'self' ${origin}`);
}

/**
 * Responds to requests that cannot be forwarded: with a redirect to the portal or a page that says why a
 * port does not respond, or with an error for programs.
 */
export class PortalDirections {
  readonly #portalUrl: string;

  /** @param options.portalUrl - the URL at which browsers reach the portal, without a trailing slash. */
  constructor(options: { portalUrl: string }) {
    this.#portalUrl = options.portalUrl;
  }

  /** Responds to a request without a session. */
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

  /**
   * Responds to a request for an IDE or a port that does not respond.
   *
   * @param fault - why it does not respond; an IDE is `closed` if its workspace runs without one.
   */
  notAnswering(
    req: IncomingMessage,
    res: ServerResponse,
    { route, fault }: { route: GatewayRoute; fault: PortFault },
  ): void {
    const { port, workspaceId } = route;
    if (port !== null && fault !== 'stopped') {
      if (acceptsPage(req)) {
        const workspaceUrl = new URL(this.#pageOf(workspaceId));
        showPortFault(res, { fault, port, workspaceUrl });
      } else {
        answer(res, 502, describeFault(fault, port));
      }
    } else if (isNavigation(req)) {
      redirect(
        res,
        fault === 'closed'
          ? // There is no IDE, so the page that opens IDEs would redirect back here forever.
            this.#pageOf(workspaceId)
          : this.#openPage(route),
      );
    } else {
      answer(res, 503, 'The workspace is not running');
    }
  }

  /**
   * Returns the portal's page that obtains a ticket, starts the workspace if necessary, and
   * redirects back here.
   */
  #openPage(route: GatewayRoute): string {
    const page = new URL(`${this.#pageOf(route.workspaceId)}/open`);
    if (route.port !== null) {
      page.searchParams.set('port', String(route.port));
    }
    const path = withoutTicket(route.path);
    if (path !== '/') {
      page.searchParams.set('return', path);
    }
    return page.toString();
  }

  #pageOf(workspaceId: string): string {
    return `${this.#portalUrl}/workspaces/${workspaceId}`;
  }
}
