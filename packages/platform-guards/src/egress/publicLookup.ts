import { lookup, type LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { PrivateAddressError } from './errors.ts';
import { isPrivateAddress } from './privateAddresses.ts';

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
