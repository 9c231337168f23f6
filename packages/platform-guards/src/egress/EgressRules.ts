import { BlockList, isIP } from 'node:net';
import {
  type AddressRules,
  type AddressVerdict,
  bareHost,
} from './AddressRules.ts';
import { isPrivateAddress } from './privateAddresses.ts';

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
        throw new TypeError(`'${entry}' is no host name, address or range`);
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
