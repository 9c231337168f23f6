import { IncomingMessage, ServerResponse } from 'node:http';
import { IdeCookie, readCookies } from './cookies';
import { IdeAccessService, IdeSession } from './IdeAccessService';
import { GatewayRoute, IdeAddresses } from './IdeAddresses';
import { PortalIdentity } from './PortalIdentity';

/** What {@link BrowserSessions} work with. */
export interface BrowserSessionsOptions {
  addresses: IdeAddresses;
  access: IdeAccessService;
  identity: PortalIdentity;
  /** Owner of a workspace; undefined when there is none. */
  ownerOf(workspaceId: string): Promise<string | undefined>;
}

const MAX_SESSION_COOKIES = 4;

/** The sessions of browsers, each in a cookie of its workspace: gotten with a one-time ticket or the owner's portal session. */
export class BrowserSessions {
  readonly #options: BrowserSessionsOptions;
  readonly #cookie: IdeCookie;
  /** Sessions that portal sessions opened, by workspace; a program keeps no cookies. */
  readonly #opened = new Map<string, Promise<IdeSession>>();

  constructor(options: BrowserSessionsOptions) {
    this.#options = options;
    this.#cookie = new IdeCookie(options.addresses);
    options.access.onRevoked(id => this.#opened.delete(id));
  }

  /** Gives the browser a session for a ticket. @returns false when the ticket is good for none. */
  async redeem(
    ticket: string,
    route: GatewayRoute,
    res: ServerResponse,
  ): Promise<boolean> {
    const session = await this.#options.access.redeemTicket(ticket, route);
    if (session) {
      res.setHeader('Set-Cookie', this.#cookie.serialize(route, session));
    }
    return session !== undefined;
  }

  /**
   * Whether a Cookie header shows a session of the route's workspace. A planted
   * cookie of our name must not keep the owner out: a few of them are tried.
   */
  async has(
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

  /** Whether a request shows a session; the owner's portal session opens one on the way. */
  async admit(
    req: IncomingMessage,
    res: ServerResponse,
    route: GatewayRoute,
  ): Promise<boolean> {
    const { identity, ownerOf } = this.#options;
    if (await this.has(req.headers.cookie, route)) {
      return true;
    }
    const caller = await identity.ownerOf(req);
    if (!caller || (await ownerOf(route.workspaceId)) !== caller) {
      return false;
    }
    const session = await this.#sessionOf(route.workspaceId, caller);
    res.appendHeader('Set-Cookie', this.#cookie.serialize(route, session));
    return true;
  }

  /** The session that the owner's portal session opened before, or a new one. */
  async #sessionOf(workspaceId: string, owner: string): Promise<IdeSession> {
    const { access } = this.#options;
    const before = this.#opened.get(workspaceId);
    // One that could not be stored must not be the answer for ever.
    const session = await before?.catch(() => undefined);
    if (session && (await access.hasSession(session.token, workspaceId))) {
      return session;
    }
    // Another request may have opened one meanwhile.
    const present = this.#opened.get(workspaceId);
    if (present && present !== before) {
      return present;
    }
    const opened = access.openSession({ id: workspaceId, owner });
    this.#opened.set(workspaceId, opened);
    return opened;
  }
}
