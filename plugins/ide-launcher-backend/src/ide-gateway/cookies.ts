import { GatewayRoute, IdeAddresses } from './IdeAddresses';
import { IdeSession } from './IdeAccessService';

/**
 * Cookies that belong to the portal or to this gateway. Cookies ignore ports,
 * so in development a browser sends the portal's here too; no workspace may see
 * or set them.
 */
const PROTECTED_NAME =
  /^(?:__Host-|__Secure-)?(?:slipway|backstage)-|-(?:refresh-token|nonce|granted-scope)$|^connect\.sid$/i;

/** Splits a Cookie header (RFC 6265, section 4.2) into name and value. */
function pairs(header: string | undefined): { name: string; pair: string }[] {
  return (header ?? '')
    .split(';')
    .map(pair => pair.trim())
    .filter(Boolean)
    .map(pair => ({ name: pair.split('=', 1)[0], pair }));
}

/** @returns the value of a cookie in a Cookie header; the first where there are several of the name. */
export function readCookie(
  header: string | undefined,
  name: string,
): string | undefined {
  return readCookies(header, name)[0];
}

/**
 * @returns every value of a cookie in a Cookie header. There are several when a
 * page of another path or a sibling host has planted one beside ours.
 */
export function readCookies(
  header: string | undefined,
  name: string,
): string[] {
  return pairs(header)
    .filter(cookie => cookie.name === name)
    .map(({ pair }) => pair.slice(name.length + 1));
}

/** @returns the Cookie header without what is not the workspace's; undefined when nothing is left. */
export function withoutProtectedCookies(
  header: string | undefined,
): string | undefined {
  const kept = pairs(header).filter(({ name }) => !PROTECTED_NAME.test(name));
  return kept.length > 0 ? kept.map(({ pair }) => pair).join('; ') : undefined;
}

/**
 * @returns the Set-Cookie headers that a workspace may send: none for a
 * protected name, host-only, and under the workspace's own path.
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

/** The gateway's own cookie. With TLS and a host per workspace its name pins it to that host (`__Host-`). */
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

  /** @returns the Set-Cookie header that gives a browser its session: host-only, HttpOnly, for this route's path. */
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
