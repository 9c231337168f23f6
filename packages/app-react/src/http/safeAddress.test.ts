import { safeAddress } from './safeAddress';

describe('safeAddress', () => {
  it.each(['/', '/catalog?filters=x', 'https://shop.test/', 'mailto:a@b.test'])(
    'returns %s',
    address => {
      expect(safeAddress(address)).toBe(address);
    },
  );

  it.each([
    undefined,
    null,
    '',
    'the cart',
    '//evil.test/',
    '/\\evil.test/',
    '/\t/evil.test/',
    // eslint-disable-next-line no-script-url
    'javascript:alert(1)',
    // eslint-disable-next-line no-script-url
    ' JavaScript:alert(1)',
    'data:text/html,x',
  ])('returns nothing for %j', address => {
    expect(safeAddress(address)).toBeUndefined();
  });
});
