import { commitUrl, compareUrl, forkAt, refUrl } from './forgePages';

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
  [
    'https://bitbucket.org/acme/cart.git',
    'https://bitbucket.org/acme/cart/commits/abc',
  ],
  [
    'https://git.example.org/forge/scm/shop/cart.git',
    'https://git.example.org/forge/projects/shop/repos/cart/commits/abc',
  ],
  ['ssh://git@forge.example.org/shop/cart.git', undefined],
  // eslint-disable-next-line no-script-url
  ['javascript:alert(1)', undefined],
  ['shop/cart', undefined],
  [null, undefined],
])('of %s a commit is at %s', (repository, url) => {
  expect(commitUrl(repository, 'abc')).toBe(url);
});

it.each([
  [
    'https://forge.example.org/shop/cart.git',
    'https://forge.example.org/shop/cart/compare/abc...def',
  ],
  [
    'https://bitbucket.org/acme/cart.git',
    'https://bitbucket.org/acme/cart/branches/compare/def..abc',
  ],
  [
    'https://git.example.org/scm/shop/cart.git',
    'https://git.example.org/projects/shop/repos/cart/compare/commits?sourceBranch=def&targetBranch=abc',
  ],
  ['ssh://git@forge.example.org/shop/cart.git', undefined],
])('of %s changes between two commits are at %s', (repository, url) => {
  expect(compareUrl(repository, { from: 'abc', to: 'def' })).toBe(url);
});

it.each([
  [
    'https://forge.example.org/shop/cart.git',
    'https://forge.example.org/shop/cart/commits/fix/a%20b',
  ],
  [
    'https://bitbucket.org/acme/cart.git',
    'https://bitbucket.org/acme/cart/branch/fix/a%20b',
  ],
  [
    'https://git.example.org/scm/shop/cart.git',
    'https://git.example.org/projects/shop/repos/cart/commits?until=fix/a%20b',
  ],
])('of %s a branch is at %s', (repository, url) => {
  expect(refUrl(repository, 'refs/heads/fix/a b')).toBe(url);
});

it.each([
  ['https://forge.example.org/shop/cart.git', '/shop/cart/commits/v1.0'],
  ['https://bitbucket.org/acme/cart.git', '/acme/cart/src/v1.0'],
  [
    'https://git.example.org/scm/shop/cart.git',
    '/projects/shop/repos/cart/commits?until=v1.0',
  ],
])('of %s a tag is at %s', (repository, path) => {
  expect(refUrl(repository, 'refs/tags/v1.0')).toBe(
    new URL(repository).origin + path,
  );
});

it('knows no page of other refs', () => {
  const repository = 'https://forge.example.org/shop/cart.git';
  expect(refUrl(repository, 'refs/pull/7/head')).toBeUndefined();
});

it('finds a fork where the repository is', () => {
  const repository = 'https://bitbucket.org/acme/cart.git';
  expect(forkAt(repository, 'ada/cart')).toBe(
    'https://bitbucket.org/ada/cart.git',
  );
  expect(forkAt(repository, undefined)).toBe(repository);
  expect(forkAt(null, 'ada/cart')).toBeNull();
});
