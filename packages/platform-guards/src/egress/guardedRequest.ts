import * as http from 'node:http';
import * as https from 'node:https';
import { isIP } from 'node:net';
import type { AddressRules } from './AddressRules.ts';
import { bareHost } from './bareHost.ts';
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
  const verdict = rules.judge(url);
  const admits = (ip: string) => rules.admits?.(ip) ?? !isPrivateAddress(ip);
  const host = bareHost(url);
  // What is an address already is dialled without any lookup.
  const isForbidden = verdict === 'public' && isIP(host) && !admits(host);
  // Credentials in an address would be sent to it.
  if (verdict === 'refused' || isForbidden || url.username || url.password) {
    throw new AddressRefusedError(url);
  }
  const { request } = url.protocol === 'http:' ? http : https;
  return new Promise((answer, reject) => {
    request(url, {
      ...rest,
      ...(ca && { ca }),
      // A connection of its own: one that is kept was checked for somebody else.
      agent: false,
      ...(verdict === 'public' && { lookup: publicLookup(resolve, admits) }),
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
