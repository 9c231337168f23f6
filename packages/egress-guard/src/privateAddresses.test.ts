import { isPrivateAddress } from './privateAddresses.ts';

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
    '93.184.216.34',
    '172.32.0.1',
    '2606:2800:220:1::1',
    '::ffff:8.8.8.8',
  ])('%s is public', address => {
    expect(isPrivateAddress(address)).toBe(false);
  });
});
