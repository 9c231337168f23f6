import { BlockList, isIP } from 'node:net';

/** Special-purpose ranges of RFC 6890 and its successors that are no public server. */
const PRIVATE_RANGES: readonly [address: string, prefix: number][] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
  ['::', 96],
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['2002::', 16],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
];

const privateRanges = new BlockList();
for (const [address, prefix] of PRIVATE_RANGES) {
  privateRanges.addSubnet(
    address,
    prefix,
    isIP(address) === 6 ? 'ipv6' : 'ipv4',
  );
}

/**
 * Whether an IP address belongs to this machine, its network or a cloud's
 * metadata service. IPv4 addresses written as IPv6 ones are seen through;
 * text that is no address counts as private.
 */
export function isPrivateAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 0) return true;
  return privateRanges.check(address, family === 6 ? 'ipv6' : 'ipv4');
}
