import { EgressRules, isAllowedHost } from './AddressRules.ts';

describe('EgressRules', () => {
  const none = new EgressRules();
  const some = new EgressRules({
    allowedHosts: ['Hooks.internal', '10.20.0.0/16', '::1', '127.0.0.1'],
  });

  it.each([
    'http://127.0.0.1/x',
    'http://2130706433/x',
    'http://0177.0.0.1/x',
    'http://0x7f.1/x',
    'http://127.1/x',
    'http://0/x',
    'http://[::1]/x',
    'http://[::ffff:127.0.0.1]/x',
    'http://[::127.0.0.1]/x',
    'http://169.254.169.254/latest',
    'http://[fd00:ec2::254]/latest',
    'https://10.0.0.1:8443/x',
    'http://localhost:3000/x',
    'http://LOCALHOST./x',
    'http://portal.localhost/x',
    'ftp://example.org/x',
    'file:///etc/passwd',
  ])('refuses %s', address => {
    expect(none.judge(new URL(address))).toBe('refused');
  });

  it.each(['https://example.org/x', 'http://93.184.216.34:8080/x'])(
    'accepts %s as a public address',
    address => {
      expect(none.judge(new URL(address))).toBe('public');
    },
  );

  it.each([
    ['https://hooks.internal/x', 'trusted'],
    ['https://hooks.internal.example.org/x', 'public'],
    ['http://10.20.1.2/x', 'public'],
    ['http://10.21.1.2/x', 'refused'],
    ['http://[::1]:4000/x', 'public'],
    ['http://2130706433/x', 'public'],
    ['http://127.0.0.2/x', 'refused'],
    ['http://localhost/x', 'refused'],
  ])('judges %s, with hosts listed, as %s', (address, verdict) => {
    expect(some.judge(new URL(address))).toBe(verdict);
  });

  it('dials private addresses only in listed ranges', () => {
    expect(some.admits('10.20.255.1')).toBe(true);
    expect(some.admits('::ffff:10.20.0.1')).toBe(true);
    expect(some.admits('10.21.0.1')).toBe(false);
    expect(some.admits('93.184.216.34')).toBe(true);
  });

  it.each(['', '10.0.0', '10.0.0.0/33', '10.0.0.0/8/8', 'a:80', '*.x', 'a/8'])(
    'rejects the host %j',
    entry => {
      expect(isAllowedHost(entry)).toBe(false);
      expect(() => new EgressRules({ allowedHosts: [entry] })).toThrow(
        `'${entry}' is not a host name`,
      );
    },
  );
});
