import { lookup, type LookupAddress } from 'node:dns';
import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { isIP, type LookupFunction } from 'node:net';
import {
  type AddressRules,
  bareHost,
  isPrivateAddress,
} from './AddressRules.ts';

/** Thrown if the address to connect to is private. */
export class PrivateAddressError extends Error {
  override readonly name = 'PrivateAddressError';
}

/** Thrown if the rules forbid the address or what its name resolves to; nothing was sent. */
export class AddressRefusedError extends Error {
  override readonly name = 'AddressRefusedError';
  /** The rejected address, after redirects. */
  readonly url: URL;

  constructor(url: URL, options?: ErrorOptions) {
    super(`${url.host} must not be contacted`, options);
    this.url = url;
  }
}

/** Resolves a host name to all its addresses. */
export type ResolveAll = (
  hostname: string,
  callback: (error: Error | null, addresses: LookupAddress[]) => void,
) => void;

const resolveWithSystem: ResolveAll = (hostname, callback) =>
  lookup(hostname, { all: true }, callback);

const isPublic = (ip: string) => !isPrivateAddress(ip);

/**
 * Creates a name lookup for connections that must not reach internal networks. The connection uses
 * it directly, so the address checked is the address dialed, however often the owner of the name
 * changes its records. A name with any forbidden address is rejected as a whole.
 *
 * @param resolve - defaults to the system's.
 * @param admits - which addresses may be dialed; defaults to public ones.
 */
export function publicLookup(
  resolve: ResolveAll = resolveWithSystem,
  admits: (ip: string) => boolean = isPublic,
): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, (error, addresses) => {
      if (error) {
        callback(error, '');
      } else if (
        addresses.length === 0 ||
        !addresses.every(({ address }) => admits(address))
      ) {
        callback(new PrivateAddressError(`${hostname} is not public`), '');
      } else if (options.all) {
        callback(null, addresses);
      } else {
        callback(null, addresses[0].address, addresses[0].family);
      }
    });
  };
}

/** A request and the rules that apply to it. */
export interface GuardedRequest {
  rules: AddressRules;
  /** Defaults to GET. */
  method?: string;
  headers?: OutgoingHttpHeaders;
  body?: string | Buffer;
  signal?: AbortSignal;
  /** Name resolution; defaults to the system's. */
  resolve?: ResolveAll;
  /** Certificate authorities; default to the system's. */
  ca?: string[];
}

/**
 * Checks an address, and returns the name lookup that a connection to it must use: undefined, i.e.
 * the system's, if an operator configured the host.
 *
 * @throws AddressRefusedError if the rules forbid the address as written.
 */
export function admit(
  url: URL,
  options: { rules: AddressRules; resolve?: ResolveAll },
): LookupFunction | undefined {
  const { rules, resolve } = options;
  const verdict = rules.judge(url);
  const admits = (ip: string) => rules.admits?.(ip) ?? !isPrivateAddress(ip);
  const host = bareHost(url);
  // A literal IP address is dialed without any lookup.
  const isForbidden = verdict === 'public' && isIP(host) && !admits(host);
  // Credentials in an address would be sent to its host.
  if (verdict === 'refused' || isForbidden || url.username || url.password) {
    throw new AddressRefusedError(url);
  }
  return verdict === 'public' ? publicLookup(resolve, admits) : undefined;
}

/**
 * Sends a request to an untrusted address. Redirects are returned like other responses. The caller
 * must read or destroy the response.
 *
 * @throws AddressRefusedError if the rules forbid the address or what its name resolves to; nothing
 *   was sent then. Other errors are those of Node.js.
 */
export async function guardedRequest(
  url: URL,
  options: GuardedRequest,
): Promise<IncomingMessage> {
  const { rules, resolve, body, ca, ...rest } = options;
  const guardedLookup = admit(url, { rules, resolve });
  // An `import` would read every export and thereby load the fetch of Node.js, which takes
  // megabytes (docs/adr/0065).
  const { request } = process.getBuiltinModule(
    url.protocol === 'http:' ? 'node:http' : 'node:https',
  );
  return new Promise((answer, reject) => {
    request(url, {
      ...rest,
      ...(ca && { ca }),
      // Uses a new connection: a pooled one was checked under other rules.
      agent: false,
      ...(guardedLookup && { lookup: guardedLookup }),
    })
      .on('response', answer)
      .on('error', error =>
        reject(
          error instanceof PrivateAddressError
            ? new AddressRefusedError(url, { cause: error })
            : error,
        ),
      )
      .end(body);
  });
}
