import { BlockList, isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/**
 * What may be asked of an address. `trusted`: an operator named its host, wherever that
 * is. `public`: anybody may have chosen it, so what is dialled must be a public address.
 */
export type AddressVerdict = 'trusted' | 'public' | 'refused';

/** Decides where requests may go. */
export interface AddressRules {
  /** Judges an address by what is written in it; a name may still lead anywhere. */
  judge(url: URL): AddressVerdict;
  /**
   * Tells whether an address that was judged `public` may lead to this IP address; when
   * left out, public ones alone are dialled.
   */
  admits?(ip: string): boolean;
}

/** Rules that trust every address; for those that the operator wrote down. */
export const anyAddress: AddressRules = { judge: () => 'trusted' };

/**
 * The host of an address as a resolver takes it: without the brackets of IPv6 and the
 * dot of the root. Decimal, octal and hexadecimal forms have become dotted ones in the URL.
 */
export function bareHost(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
}

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

/** Labels, the last of which is no number: the rest of an address is a typing error. */
const HOST_NAME = /^(?:[a-z0-9_-]+\.)*(?=[^.]*[a-z])[a-z0-9_-]+$/;

/** An entry of `allowedHosts`, taken apart. */
type AllowedHost =
  | { name: string }
  | { network: string; prefix: number; family: 'ipv4' | 'ipv6' };

/**
 * Any http or https address in public networks, and of the own network what the operator
 * lists: host names (`hooks.internal`), addresses (`10.1.2.3`, `::1`) and ranges
 * (`10.0.0.0/8`).
 */
export class EgressRules implements AddressRules {
  readonly #names = new Set<string>();
  readonly #ranges = new BlockList();

  /** @throws TypeError naming an entry that is none. */
  constructor(options: { allowedHosts?: readonly string[] } = {}) {
    for (const entry of options.allowedHosts ?? []) {
      const host = parseAllowedHost(entry);
      if (!host) {
        throw new TypeError(`'${entry}' is not a host name, address or range`);
      }
      if ('name' in host) {
        this.#names.add(host.name);
      } else {
        this.#ranges.addSubnet(host.network, host.prefix, host.family);
      }
    }
  }

  judge(url: URL): AddressVerdict {
    if (url.protocol !== 'https:' && url.protocol !== 'http:') {
      return 'refused';
    }
    const host = bareHost(url);
    if (this.#names.has(host)) {
      return 'trusted';
    }
    // RFC 6761: it is this machine whatever a name server says.
    const isLocal = host === 'localhost' || host.endsWith('.localhost');
    return isLocal || (isIP(host) && !this.admits(host)) ? 'refused' : 'public';
  }

  admits(ip: string): boolean {
    return (
      !isPrivateAddress(ip) ||
      this.#ranges.check(ip, isIP(ip) === 6 ? 'ipv6' : 'ipv4')
    );
  }
}

/** Tells whether a text is a valid entry of `allowedHosts`. */
export function isAllowedHost(entry: string): boolean {
  return parseAllowedHost(entry) !== undefined;
}

function parseAllowedHost(entry: string): AllowedHost | undefined {
  const [network, prefix, ...rest] = entry.toLowerCase().split('/');
  const family = isIP(network);
  if (family === 0) {
    return prefix === undefined && HOST_NAME.test(network)
      ? { name: network }
      : undefined;
  }
  const bits = family === 6 ? 128 : 32;
  if (prefix !== undefined && !/^\d{1,3}$/.test(prefix)) {
    return undefined;
  }
  const length = prefix === undefined ? bits : Number(prefix);
  return rest.length === 0 && length <= bits
    ? { network, prefix: length, family: family === 6 ? 'ipv6' : 'ipv4' }
    : undefined;
}
