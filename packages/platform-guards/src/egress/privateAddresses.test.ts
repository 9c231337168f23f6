import { isPrivateAddress } from './AddressRules.ts';

describe('isPrivateAddress', () => {
  it.each([
    '127.0.0.1',
    '10.1.2.3',
    '172.31.255.255',
    '192.168.0.1',
    '169.254.169.254',
    '100.64.0.1',
    '0.0.0.0',
    '255.255.255.255',
    '::',
    '::1',
    '::7f00:1',
    'fe80::1',
    'fe80::1%eth0',
    'fd00:ec2::254',
    '::ffff:10.0.0.1',
    '::ffff:7f00:1',
    '64:ff9b::a00:1',
    '2002:a00:1::',
    'not an address',
  ])('%s is private', address => {
    expect(isPrivateAddress(address)).toBe(true);
  });

  it.each([
    // Cloud metadata: Azure, Alibaba, Oracle, Google.
    ['168.63.129.16', '::ffff:168.63.129.16'],
    ['100.100.100.200', '192.0.0.192', 'fd20:ce::254'],
    // The IPv4 registry: first and last address of each range.
    ['0.0.0.0', '0.255.255.255'],
    ['10.0.0.0', '10.255.255.255'],
    ['100.64.0.0', '100.127.255.255'],
    ['127.0.0.0', '127.255.255.255'],
    ['169.254.0.0', '169.254.255.255'],
    ['172.16.0.0', '172.31.255.255'],
    ['192.0.0.0', '192.0.0.255'],
    ['192.0.2.0', '192.0.2.255'],
    ['192.31.196.0', '192.31.196.255'],
    ['192.52.193.0', '192.52.193.255'],
    ['192.88.99.0', '192.88.99.255'],
    ['192.168.0.0', '192.168.255.255'],
    ['192.175.48.0', '192.175.48.255'],
    ['198.18.0.0', '198.19.255.255'],
    ['198.51.100.0', '198.51.100.255'],
    ['203.0.113.0', '203.0.113.255'],
    ['224.0.0.0', '239.255.255.255'],
    ['240.0.0.0', '255.255.255.255'],
    // The IPv6 registry, and unassigned blocks.
    ['::ffff:0:0', '::ffff:7f00:1', '::ffff:0:127.0.0.1'],
    ['64:ff9b::', '64:ff9b:0:ffff:ffff:ffff:ffff:ffff'],
    ['64:ff9b:1::', '64:ff9b:1:ffff:ffff:ffff:ffff:ffff'],
    ['100::', '100:0:0:1::1', '100::ffff:ffff:ffff:ffff'],
    ['2001::', '2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['2001:db8::', '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['2002::', '2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['2620:4f:8000::', '2620:4f:8000:ffff:ffff:ffff:ffff:ffff'],
    ['3fff::', '3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['5f00::', '5f00:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['fc00::', 'fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['fe80::', 'febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['fec0::', 'ff02::1', '1::1', '4000::1', 'e000::1'],
  ])('the special range of %s is private', (...addresses) => {
    expect(addresses.filter(each => !isPrivateAddress(each))).toEqual([]);
  });

  it.each([
    '168.63.129.15',
    '168.63.129.17',
    '100.63.255.255',
    '198.20.0.0',
    '223.255.255.255',
    '2001:200::1',
    '2003::1',
    '3ffe::1',
    '93.184.216.34',
    '172.32.0.1',
    '2606:2800:220:1::1',
    '::ffff:8.8.8.8',
  ])('%s is public', address => {
    expect(isPrivateAddress(address)).toBe(false);
  });
});
