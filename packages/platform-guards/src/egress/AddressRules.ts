import { BlockList, isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/**
 * The verdict on an address. `trusted`: an operator configured its host, wherever it is. `public`:
 * anyone may have chosen it, so it may only connect to public addresses.
 */
export type AddressVerdict = 'trusted' | 'public' | 'refused';

/** Decides which addresses requests may be sent to. */
export interface AddressRules {
  /** Judges an address as written; a name may still resolve to any IP address. */
  judge(url: URL): AddressVerdict;
  /**
   * Checks whether an address judged `public` may connect to this IP address; by default only
   * public ones are allowed.
   */
  admits?(ip: string): boolean;
}

/** Trusts every address; for addresses configured by the operator. */
export const anyAddress: AddressRules = { judge: () => 'trusted' };

/**
 * Returns the host of an address as a resolver expects it: without the brackets of IPv6 and the
 * trailing dot. The URL class has already normalized decimal, octal and hexadecimal IPv4 addresses.
 */
export function bareHost(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
}

/** The only IPv6 block from which IANA assigns public addresses. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Addresses in public ranges that clouds use internally: Azure's metadata and name service. Those
 * of other clouds are link-local, private, shared or reserved.
 */
const CLOUD_ADDRESSES: ReadonlySet<string> = new Set(['168.63.129.16']);

/**
 * Checks whether an IP address belongs to anything but a public server: this machine, its network,
 * a cloud's metadata service, or any range in IANA's special-purpose registries. IPv4-mapped and
 * similar IPv6 addresses are judged as IPv4; a string that is not an IP address counts as private.
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

/**
 * Labels of a host name; the last one must not be a number, which would be a mistyped IP address.
 */
const HOST_NAME = /^(?:[a-z0-9_-]+\.)*(?=[^.]*[a-z])[a-z0-9_-]+$/;

/** A parsed entry of `allowedHosts`. */
type AllowedHost =
  | { name: string }
  | { network: string; prefix: number; family: 'ipv4' | 'ipv6' };

/**
 * Allows any http or https address on public networks, but on internal networks only what the
 * operator lists: host names (`hooks.internal`), addresses (`10.1.2.3`, `::1`) and ranges
 * (`10.0.0.0/8`).
 */
export class EgressRules implements AddressRules {
  readonly #names = new Set<string>();
  readonly #ranges = new BlockList();

  /** @throws TypeError naming an invalid entry. */
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
    // Always this machine, whatever a name server returns (RFC 6761).
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

/** Checks whether a string is a valid entry of `allowedHosts`. */
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
