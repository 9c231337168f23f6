import { IncomingMessage, ServerResponse } from 'node:http';
import { GatewayRoute, IdeAddresses } from './IdeAddresses';

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
