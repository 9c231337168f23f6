import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** The one block of IPv6 of which IANA gives addresses to the public. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Addresses of the public ranges that clouds answer on themselves: Azure's metadata and
 * name service. The others' are link-local, private, shared or reserved.
 */
const CLOUD_ADDRESSES: ReadonlySet<string> = new Set(['168.63.129.16']);

/**
 * Tells whether an IP address is no public server's: of this machine, its network, a cloud's
 * metadata service, or any range of IANA's special-purpose registries. IPv4 addresses
 * written as IPv6 ones are seen through; text that is no address counts as private.
 *
 * @see https://www.iana.org/assignments/iana-ipv4-special-registry
 * @see https://www.iana.org/assignments/iana-ipv6-special-registry
 */
export function isPrivateAddress(address: string): boolean {
  if (isIP(address) === 0) {
    return true;
  }
  const ip = ipaddr.process(address);
  if (ip.range() !== 'unicast' || CLOUD_ADDRESSES.has(ip.toString())) {
    return true;
  }
  return ip instanceof ipaddr.IPv6 && !ip.match(GLOBAL_UNICAST);
}
