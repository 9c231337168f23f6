import type { IdeDestination } from '../../api/IdeLauncherApi';

/**
 * Where the IDE gateway wants a signed-out visitor back: `?return=<path>` and, for an endpoint,
 * `?port=<port>`. Anything else than a path and a port number is ignored: the query may come from
 * anywhere, and must not be able to lead to another host.
 */
export function parseDestination(query: URLSearchParams): IdeDestination {
  const path = query.get('return');
  const port = Number(query.get('port'));
  return {
    ...(path?.startsWith('/') && { path }),
    ...(Number.isInteger(port) && port >= 1 && port <= 65_535 && { port }),
  };
}
