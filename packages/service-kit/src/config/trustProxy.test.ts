import { faultsOfTrustProxy } from './validateConfig.ts';

const KEY = 'shop.listen.trustProxy';

it('accepts addresses and ranges', () => {
  const proxies = ['10.0.0.0/8', '192.0.2.7', '::1', 'fd00::/8'];
  expect(faultsOfTrustProxy(KEY, proxies)).toEqual([]);
  expect(faultsOfTrustProxy(KEY, [])).toEqual([]);
});

it.each([true, false, 1, '10.0.0.0/8', undefined])(
  'rejects %j, and says what to write',
  value => {
    expect(faultsOfTrustProxy(KEY, value)).toEqual([
      expect.stringMatching(
        /^shop\.listen\.trustProxy must list the addresses or ranges of your reverse proxies, e\.g\. \[10\.0\.0\.0\/8\]/,
      ),
    ]);
  },
);

it.each(['true', 'proxy.internal', '10.0.0.0/33', '0.0.0.0/0', '::/0', '', 1])(
  'rejects %j in the list',
  entry => {
    expect(faultsOfTrustProxy(KEY, ['10.0.0.1', entry])).toEqual([
      expect.stringContaining('shop.listen.trustProxy[1] must be the address'),
    ]);
  },
);
