import { IncomingMessage } from 'node:http';
import { AuthService } from '@backstage/backend-plugin-api';
import { callerOf } from '@slipway/portal-kit';
import { readCookie } from './cookies';

/** Backstage's cookie of a limited user token; a browser sends it where the gateway shares the portal's host. */
const PORTAL_COOKIE = 'backstage-auth';

/** Tells who a request's portal credential belongs to: a bearer token, or the portal's cookie. */
export class PortalIdentity {
  readonly #auth: AuthService;

  constructor(options: { auth: AuthService }) {
    this.#auth = options.auth;
  }

  /** @returns the owner ref of the credential; undefined without a valid one. */
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
      // Which fault a credential has is nobody's business at this door.
      return undefined;
    }
  }
}
