import { repositoryName } from '../events/repositoryName';
import { readTimestamp } from './payload';

describe('readTimestamp', () => {
  it.each([
    ['2026-03-02T10:05:00+01:00', '2026-03-02T09:05:00.000Z'],
    ['2026-03-02T10:05:00.123Z', '2026-03-02T10:05:00.123Z'],
    ['2021-04-28 21:50:00 +0200', '2021-04-28T19:50:00.000Z'],
    ['2017-09-15 16:52:00 UTC', '2017-09-15T16:52:00.000Z'],
    ['2026-03-02T10:05:00', '2026-03-02T10:05:00.000Z'],
    [1557933657, '2019-05-15T15:20:57.000Z'],
  ])('reads %s', (text, expected) => {
    expect(new Date(readTimestamp(text) ?? NaN).toISOString()).toBe(expected);
  });

  it.each([['soon'], [''], ['2026-13-01T00:00:00Z'], [1.5], [NaN]])(
    'does not take %s for a time',
    text => {
      expect(readTimestamp(text)).toBeUndefined();
    },
  );
});

describe('repositoryName', () => {
  it.each([
    ['https://github.com/Shop/cart.git', 'Shop/cart'],
    ['https://github.com/shop/cart/tree/main/services/a/', 'shop/cart'],
    ['git@gitlab.example.org:shop/backend/cart.git', 'shop/backend/cart'],
    ['ssh://git@git.example.org:2222/shop/cart', 'shop/cart'],
    [
      'https://gitlab.example.org/shop/backend/cart/-/blob/main/catalog-info.yaml',
      'shop/backend/cart',
    ],
    ['https://gitea.example.org/shop/cart/src/branch/main/', 'shop/cart'],
    ['https://token@git.example.org/shop/src', 'shop/src'],
    ['shop/cart', 'shop/cart'],
  ])('of %s is %s', (address, name) => {
    expect(repositoryName(address)).toBe(name);
  });

  it.each([
    ['https://github.com/'],
    ['cart'],
    ['https://['],
    ['https://github.com/shop/%zz'],
    ['a b/c'],
    [`shop/cart${'/'.repeat(100_000)}x`],
  ])('finds none in %.40s', address => {
    expect(repositoryName(address)).toBeUndefined();
  });
});
