import { IncomingMessage, ServerResponse } from 'node:http';
import { AuthService } from '@backstage/backend-plugin-api';
import { callerOf } from '@slipway/portal-kit';
import { IdeSession, IdeAccessService } from './IdeAccessService';
import { GatewayRoute, IdeAddresses } from './ideRoutes';

/**
 * Cookies that belong to the portal or to this gateway. Cookies ignore ports, so in development
 * a browser also sends the portal's cookies here; no workspace may see or set them.
 */
const PROTECTED_NAME =
  /^(?:__Host-|__Secure-)?(?:slipway|backstage)-|-(?:refresh-token|nonce|granted-scope)$|^connect\.sid$/i;

/** Splits a Cookie header (RFC 6265, section 4.2) into names and values. */
function pairs(header: string | undefined): { name: string; pair: string }[] {
  return (header ?? '')
    .split(';')
    .map(pair => pair.trim())
    .filter(Boolean)
    .map(pair => ({ name: pair.split('=', 1)[0], pair }));
}

/** Returns the value of a cookie in a Cookie header; the first one if there are several with that name. */
export function readCookie(
  header: string | undefined,
  name: string,
): string | undefined {
  return readCookies(header, name)[0];
}

/**
 * Returns all values of a cookie in a Cookie header. There are several if a page with another
 * path or on a sibling host has set one with the same name.
 */
function readCookies(header: string | undefined, name: string): string[] {
  return pairs(header)
    .filter(cookie => cookie.name === name)
    .map(({ pair }) => pair.slice(name.length + 1));
}

/** Returns the Cookie header without the protected cookies; undefined if nothing is left. */
export function withoutProtectedCookies(
  header: string | undefined,
): string | undefined {
  const kept = pairs(header).filter(({ name }) => !PROTECTED_NAME.test(name));
  return kept.length > 0 ? kept.map(({ pair }) => pair).join('; ') : undefined;
}

/**
 * Returns the Set-Cookie headers that a workspace may send: without protected names, host-only,
 * and limited to the workspace's path.
 */
export function confineSetCookies(
  headers: string[],
  route: Pick<GatewayRoute, 'prefix'>,
): string[] {
  return headers
    .filter(header => !PROTECTED_NAME.test(header.split('=', 1)[0].trim()))
    .map(header => {
      const [pair, ...attributes] = header.split(';');
      let path = '/';
      const kept = attributes.filter(attribute => {
        const [name, value = ''] = attribute.trim().split('=', 2);
        if (name.toLocaleLowerCase('en-US') === 'path') {
          path = value.startsWith('/') ? value : '/';
        }
        return !/^(?:path|domain)$/i.test(name);
      });
      return [pair, ...kept, ` Path=${route.prefix}${path}`].join(';');
    });
}

/**
 * The gateway's own cookie. With TLS and one host per workspace, its name binds it to that host
 * (`__Host-`).
 */
export class IdeCookie {
  readonly #addresses: IdeAddresses;
  readonly name: string;

  constructor(addresses: IdeAddresses) {
    this.#addresses = addresses;
    this.name =
      addresses.secure && addresses.hostPerWorkspace
        ? '__Host-slipway-ide'
        : 'slipway-ide';
  }

  /**
   * Returns the Set-Cookie header with the browser's session: host-only, HttpOnly, for this
   * route's path.
   */
  serialize(route: Pick<GatewayRoute, 'prefix'>, session: IdeSession): string {
    return [
      `${this.name}=${session.token}`,
      `Path=${route.prefix}/`,
      `Max-Age=${session.maxAgeSeconds}`,
      'HttpOnly',
      'SameSite=Lax',
      ...(this.#addresses.secure ? ['Secure'] : []),
    ].join('; ');
  }
}

/** Backstage's cookie with a limited user token; browsers send it if the gateway shares the portal's host. */
const PORTAL_COOKIE = 'backstage-auth';

/** Identifies the owner of a request's portal credential: a bearer token or the portal's cookie. */
export class PortalIdentity {
  readonly #auth: AuthService;

  constructor(options: { auth: AuthService }) {
    this.#auth = options.auth;
  }

  /** Returns the owner ref of the credential; undefined if it is missing or invalid. */
  async ownerOf(req: IncomingMessage): Promise<string | undefined> {
    const bearer = /^Bearer +(\S+)$/i.exec(
      req.headers.authorization ?? '',
    )?.[1];
    const token = bearer ?? readCookie(req.headers.cookie, PORTAL_COOKIE);
    if (!token) {
      return undefined;
    }
    try {
      const credentials = await this.#auth.authenticate(token, {
        allowLimitedAccess: !bearer,
      });
      return callerOf(credentials).ref;
    } catch {
      // The response must not reveal why a credential is invalid.
      return undefined;
    }
  }
}

/** Dependencies of {@link BrowserSessions}. */
export interface BrowserSessionsOptions {
  addresses: IdeAddresses;
  access: IdeAccessService;
  identity: PortalIdentity;
  /** Returns the owner of a workspace; undefined if it does not exist. */
  ownerOf(workspaceId: string): Promise<string | undefined>;
}

const MAX_SESSION_COOKIES = 4;

/**
 * Browser sessions, each in a cookie of its workspace. A browser obtains one with a one-time
 * ticket or the owner's portal session.
 */
export class BrowserSessions {
  readonly #options: BrowserSessionsOptions;
  readonly #cookie: IdeCookie;
  /** Sessions opened with portal credentials, by workspace, to reuse for programs that keep no cookies. */
  readonly #opened = new Map<string, Promise<IdeSession>>();

  constructor(options: BrowserSessionsOptions) {
    this.#options = options;
    this.#cookie = new IdeCookie(options.addresses);
    options.access.onRevoked(id => this.#opened.delete(id));
  }

  /** Gives the browser a session for a ticket. @returns false if the ticket is not valid. */
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
   * Returns whether a Cookie header contains a valid session of the route's workspace. Tries several
   * cookies, so that a planted cookie of the same name does not lock the owner out.
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

  /** Returns whether a request has a session; opens one if it has the owner's portal session. */
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

  /** Returns the session previously opened with the owner's portal session, or a new one. */
  async #sessionOf(workspaceId: string, owner: string): Promise<IdeSession> {
    const { access } = this.#options;
    const before = this.#opened.get(workspaceId);
    // Do not cache a session that could not be stored.
    const session = await before?.catch(() => undefined);
    if (session && (await access.hasSession(session.token, workspaceId))) {
      return session;
    }
    // Another request may have opened one in the meantime.
    const present = this.#opened.get(workspaceId);
    if (present && present !== before) {
      return present;
    }
    const opened = access.openSession({ id: workspaceId, owner });
    this.#opened.set(workspaceId, opened);
    return opened;
  }
}
