import { lookup, type LookupAddress } from 'node:dns';
import * as http from 'node:http';
import * as https from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import {
  type AddressRules,
  bareHost,
  isPrivateAddress,
} from './AddressRules.ts';

/** The address that a connection would have gone to is private. */
export class PrivateAddressError extends Error {
  override readonly name = 'PrivateAddressError';
}

/** Nothing was sent: the rules forbid the address, or what its name led to. */
export class AddressRefusedError extends Error {
  override readonly name = 'AddressRefusedError';
  /** What was refused, after redirects. */
  readonly url: URL;

  constructor(url: URL, options?: ErrorOptions) {
    super(`${url.host} must not be contacted`, options);
    this.url = url;
  }
}

/** Answers every address of a host name. */
export type ResolveAll = (
  hostname: string,
  callback: (error: Error | null, addresses: LookupAddress[]) => void,
) => void;

const resolveWithSystem: ResolveAll = (hostname, callback) =>
  lookup(hostname, { all: true }, callback);

const isPublic = (ip: string) => !isPrivateAddress(ip);

/**
 * Name resolution for connections that must not lead into the own network. It is the
 * connection's own: what is checked here is what is dialled, however often the name's
 * owner changes the answer. A name with one address that may not be dialled is refused
 * whole.
 *
 * @param resolve - the system's by default.
 * @param admits - which addresses may be dialled; public ones by default.
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

/** One request, and the rules that it keeps to. */
export interface GuardedRequest {
  rules: AddressRules;
  /** GET by default. */
  method?: string;
  headers?: http.OutgoingHttpHeaders;
  body?: string | Buffer;
  signal?: AbortSignal;
  /** Name resolution; the system's by default. */
  resolve?: ResolveAll;
  /** Certificate authorities, where they are not the system's. */
  ca?: string[];
}

/**
 * Judges an address, and answers the name resolution that a connection to it must use:
 * undefined, the system's, where an operator named the host.
 *
 * @throws AddressRefusedError when the rules forbid the address as it is written.
 */
export function admit(
  url: URL,
  options: { rules: AddressRules; resolve?: ResolveAll },
): LookupFunction | undefined {
  const { rules, resolve } = options;
  const verdict = rules.judge(url);
  const admits = (ip: string) => rules.admits?.(ip) ?? !isPrivateAddress(ip);
  const host = bareHost(url);
  // What is an address already is dialled without any lookup.
  const isForbidden = verdict === 'public' && isIP(host) && !admits(host);
  // Credentials in an address would be sent to it.
  if (verdict === 'refused' || isForbidden || url.username || url.password) {
    throw new AddressRefusedError(url);
  }
  return verdict === 'public' ? publicLookup(resolve, admits) : undefined;
}

/**
 * Asks an address that somebody else may have chosen. Redirects are answers like others.
 * Whoever gets the answer reads or destroys it.
 *
 * @throws AddressRefusedError when the rules forbid the address or what its name leads
 *   to; nothing was sent then. Anything else as Node.js words it.
 */
export async function guardedRequest(
  url: URL,
  options: GuardedRequest,
): Promise<http.IncomingMessage> {
  const { rules, resolve, body, ca, ...rest } = options;
  const guardedLookup = admit(url, { rules, resolve });
  const { request } = url.protocol === 'http:' ? http : https;
  return new Promise((answer, reject) => {
    request(url, {
      ...rest,
      ...(ca && { ca }),
      // A connection of its own: one that is kept was checked for somebody else.
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
