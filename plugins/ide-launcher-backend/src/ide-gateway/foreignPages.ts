import { IncomingMessage, ServerResponse } from 'node:http';
import { GatewayRoute, IdeAddresses } from './IdeAddresses';

const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Whether a page of another origin wants to write here or to open a socket; whatever cookie its visitor has, it must not. */
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
 * Whether a page of another origin wants an IDE's answer as a part of itself.
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
