import { BlockList, isIPv4 } from 'node:net';
import { networkInterfaces } from 'node:os';

/**
 * Where workspaces have no business: private networks, those of carriers and tests,
 * multicast, and where clouds tell machines their secrets (169.254.169.254, and
 * 168.63.129.16 of Azure).
 */
const NEVER_PUBLIC = [
  '10.0.0.0/8',
  '100.64.0.0/10',
  '168.63.129.16/32',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '224.0.0.0/4',
  '240.0.0.0/4',
];

/** An address of each network that is tried, to see whether it is closed. */
const SAMPLES: Readonly<Record<string, string>> = {
  '10.0.0.0/8': '10.0.0.1',
  '168.63.129.16/32': '168.63.129.16',
  '169.254.0.0/16': '169.254.169.254',
  '172.16.0.0/12': '172.16.0.1',
  '192.168.0.0/16': '192.168.0.1',
};

/** Addresses of this machine that others reach it by; IPv4, as a sandbox has no other. */
export function ownAddresses(): string[] {
  return Object.values(networkInterfaces())
    .flatMap(addresses => addresses ?? [])
    .filter(({ family, internal }) => family === 'IPv4' && !internal)
    .map(({ address }) => address);
}

/**
 * The networks that a sandbox with a network of its own does not reach.
 *
 * @param allowed - networks in CIDR form that the operator opens; they open an address of
 *   this machine only where they name it alone.
 */
export function closedNetworks(
  allowed: readonly string[],
  own: readonly string[] = ownAddresses(),
): string[] {
  return [...NEVER_PUBLIC, ...own.map(address => `${address}/32`)].filter(
    network => {
      const mustBeNamed = own.includes(network.replace(/\/32$/, ''));
      return mustBeNamed
        ? !allowed.includes(network)
        : !allowed.some(each => contains(each, network));
    },
  );
}

/** One address of each network that can be tried from inside. */
export function samplesOf(closed: readonly string[]): string[] {
  return closed.flatMap(network => SAMPLES[network] ?? []);
}

/**
 * Writes an IPv4 address or network in CIDR form.
 *
 * @returns undefined when it is neither.
 */
export function toNetwork(text: string): string | undefined {
  const [address, prefix = '32', ...rest] = text.split('/');
  const isNetwork =
    isIPv4(address) &&
    /^\d{1,2}$/.test(prefix) &&
    Number(prefix) <= 32 &&
    rest.length === 0;
  return isNetwork ? `${address}/${prefix}` : undefined;
}

function contains(outer: string, inner: string): boolean {
  const [outerAddress, outerPrefix] = outer.split('/');
  const [innerAddress, innerPrefix] = inner.split('/');
  const list = new BlockList();
  list.addSubnet(outerAddress, Number(outerPrefix));
  return Number(outerPrefix) <= Number(innerPrefix) && list.check(innerAddress);
}
