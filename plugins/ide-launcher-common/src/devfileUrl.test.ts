import { devfileUrlOf, hasDevfile } from './devfileUrl';

const SOURCE = 'backstage.io/source-location';
const FILE = 'backstage.io/managed-by-location';

function resolve(devfile: string, locations: Record<string, string> = {}) {
  return devfileUrlOf({ 'slipway.dev/devfile': devfile, ...locations });
}

describe('devfileUrlOf', () => {
  it('uses an https address unchanged', () => {
    expect(resolve('https://git.example.org/devfile.yaml?at=x')).toBe(
      'https://git.example.org/devfile.yaml?at=x',
    );
  });

  it.each([
    'http://git.example.org/devfile.yaml',
    'data:text/yaml,schemaVersion',
    'file:///etc/passwd',
    '  ',
  ])('takes no %j', value => {
    expect(resolve(value)).toBeUndefined();
  });

  it.each([
    [
      'a GitHub folder',
      'url:https://github.com/acme/shop/tree/main/api/',
      'https://github.com/acme/shop/blob/main/api/devfile.yaml',
    ],
    [
      'a folder without closing slash',
      'url:https://github.com/acme/shop/tree/main',
      'https://github.com/acme/shop/blob/main/devfile.yaml',
    ],
    [
      'a GitLab folder',
      'url:https://gitlab.com/acme/team/shop/-/tree/main/',
      'https://gitlab.com/acme/team/shop/-/blob/main/devfile.yaml',
    ],
    [
      'a Bitbucket Server file',
      'url:https://bb.example.org/projects/A/repos/shop/browse/catalog-info.yaml?at=main',
      'https://bb.example.org/projects/A/repos/shop/browse/devfile.yaml?at=main',
    ],
    [
      'an Azure DevOps file',
      'url:https://dev.azure.com/acme/shop/_git/shop?path=/api/catalog-info.yaml&version=GBmain',
      'https://dev.azure.com/acme/shop/_git/shop?path=%2Fapi%2Fdevfile.yaml&version=GBmain',
    ],
  ])('resolves a path against %s', (_, location, expected) => {
    expect(resolve('devfile.yaml', { [SOURCE]: location })).toBe(expected);
  });

  it('prefers the source location to the described file', () => {
    const file = 'url:https://git.example.org/catalog/shop.yaml';
    expect(resolve('devfile.yaml', { [FILE]: file })).toBe(
      'https://git.example.org/catalog/devfile.yaml',
    );
    expect(
      resolve('devfile.yaml', {
        [FILE]: file,
        [SOURCE]: 'url:https://git.example.org/src/',
      }),
    ).toBe('https://git.example.org/src/devfile.yaml');
  });

  it('never leaves the host of the source location', () => {
    const locations = { [SOURCE]: 'url:https://git.example.org/src/api/' };
    expect(resolve('/dev/devfile.yaml', locations)).toBe(
      'https://git.example.org/src/api/dev/devfile.yaml',
    );
    expect(resolve('//evil.example.org/devfile.yaml', locations)).toBe(
      'https://git.example.org/src/api/evil.example.org/devfile.yaml',
    );
    expect(resolve('../../../../devfile.yaml', locations)).toBe(
      'https://git.example.org/devfile.yaml',
    );
  });

  it('needs a location that has an address', () => {
    expect(resolve('devfile.yaml')).toBeUndefined();
    expect(
      resolve('devfile.yaml', { [FILE]: 'file:/srv/catalog-info.yaml' }),
    ).toBeUndefined();
  });
});

describe('hasDevfile', () => {
  it('reads only the annotation', () => {
    expect(hasDevfile({ 'slipway.dev/devfile': 'a.yaml' })).toBe(true);
    expect(hasDevfile({})).toBe(false);
    expect(hasDevfile(undefined)).toBe(false);
  });
});
