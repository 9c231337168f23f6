import * as http from 'node:http';
import * as https from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { type AddressRules, bareHost } from './AddressRules.ts';
import { AddressRefusedError, PrivateAddressError } from './errors.ts';
import { isPrivateAddress } from './privateAddresses.ts';
import { publicLookup, type ResolveAll } from './publicLookup.ts';

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
  const lookup = admit(url, { rules, resolve });
  const { request } = url.protocol === 'http:' ? http : https;
  return new Promise((answer, reject) => {
    request(url, {
      ...rest,
      ...(ca && { ca }),
      // A connection of its own: one that is kept was checked for somebody else.
      agent: false,
      ...(lookup && { lookup }),
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
