import { IncomingMessage, ServerResponse } from 'node:http';
import { Duplex } from 'node:stream';
import { TICKET_PARAMETER } from './IdeAccessService';

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

/** Whether a person's browser asks for a page, and not a program or a page for its parts. */
export function isNavigation(req: IncomingMessage): boolean {
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
