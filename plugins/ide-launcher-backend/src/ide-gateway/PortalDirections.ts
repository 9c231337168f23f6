import { IncomingMessage, ServerResponse } from 'node:http';
import { answer, isNavigation, redirect, withoutTicket } from './gatewayHttp';
import { GatewayRoute } from './IdeAddresses';

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
