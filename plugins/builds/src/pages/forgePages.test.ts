import { commitUrl } from './BuildFacts';

it.each([
  [
    'https://forge.example.org/shop/cart.git',
    'https://forge.example.org/shop/cart/commit/abc',
  ],
  [
    'https://ada:secret@forge.example.org/shop/cart/',
    'https://forge.example.org/shop/cart/commit/abc',
  ],
  [
    'http://localhost:3000/shop/my.git.tools',
    'http://localhost:3000/shop/my.git.tools/commit/abc',
  ],
  ['ssh://git@forge.example.org/shop/cart.git', undefined],
  // eslint-disable-next-line no-script-url
  ['javascript:alert(1)', undefined],
  ['shop/cart', undefined],
  [null, undefined],
])('of %s a commit is at %s', (repository, url) => {
  expect(commitUrl(repository, 'abc')).toBe(url);
});
