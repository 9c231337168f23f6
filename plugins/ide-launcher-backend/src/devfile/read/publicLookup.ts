import { lookup, LookupAddress } from 'node:dns';
import { LookupFunction } from 'node:net';
import { isPrivateAddress } from './privateAddresses';

/** The address that a connection would have gone to is private. */
export class PrivateAddressError extends Error {
  override name = 'PrivateAddressError';
}

/** Answers every address of a host name. */
export type ResolveAll = (
  hostname: string,
  callback: (error: Error | null, addresses: LookupAddress[]) => void,
) => void;

const resolveWithSystem: ResolveAll = (hostname, callback) =>
  lookup(hostname, { all: true }, callback);

/**
 * Name resolution for connections that must not lead into the portal's own
 * network. It is the connection's own: what is checked here is what is dialled,
 * however often the name's owner changes the answer.
 */
export function publicLookup(
  resolve: ResolveAll = resolveWithSystem,
): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, (error, addresses) => {
      if (error) {
        callback(error, '');
      } else if (
        addresses.length === 0 ||
        addresses.some(({ address }) => isPrivateAddress(address))
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
