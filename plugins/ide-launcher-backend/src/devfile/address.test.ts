import { nameFromUrl, sanitiseName, withSourceProject } from './address';
import { RawDevfile } from './schema/devfile';

const BARE: RawDevfile = { schemaVersion: '2.2.2' };

/** Returns the remote and revision of the project that a bare devfile at an address gets. */
function projectAt(address: string) {
  const [project] = withSourceProject(BARE, new URL(address)).projects ?? [];
  return (
    project && [
      project.name,
      project.git?.remotes.origin,
      project.git?.checkoutFrom?.revision,
    ]
  );
}

describe('withSourceProject', () => {
  it.each([
    [
      'https://github.com/acme/Shop.Web/blob/main/devfile.yaml',
      ['shop-web', 'https://github.com/acme/Shop.Web.git', 'main'],
    ],
    [
      'https://github.com/acme/shop/raw/refs/heads/main/api/devfile.yaml',
      ['shop', 'https://github.com/acme/shop.git', 'main'],
    ],
    [
      'https://raw.githubusercontent.com/acme/shop/4c1a5e1/devfile.yaml',
      ['shop', 'https://github.com/acme/shop.git', '4c1a5e1'],
    ],
    [
      'https://github.com/acme/shop/blob/HEAD/devfile.yaml',
      ['shop', 'https://github.com/acme/shop.git', undefined],
    ],
    [
      'https://gitlab.example.org/acme/team/shop/-/raw/v1.2/devfile.yaml?ref_type=tags',
      ['shop', 'https://gitlab.example.org/acme/team/shop.git', 'v1.2'],
    ],
    [
      'https://codeberg.org/acme/shop/src/branch/main/devfile.yaml',
      ['shop', 'https://codeberg.org/acme/shop.git', 'main'],
    ],
    [
      'https://codeberg.org/acme/shop/raw/branch/main/devfile.yaml',
      ['shop', 'https://codeberg.org/acme/shop.git', 'main'],
    ],
    [
      'https://bitbucket.org/acme/shop/src/main/devfile.yaml',
      ['shop', 'https://bitbucket.org/acme/shop.git', 'main'],
    ],
    [
      'https://bitbucket.example.org/projects/ACME/repos/shop/browse/devfile.yaml?at=refs%2Fheads%2Fmain',
      ['shop', 'https://bitbucket.example.org/scm/acme/shop.git', 'main'],
    ],
    [
      'https://dev.azure.com/acme/My%20Team/_git/shop?path=/devfile.yaml&version=GBmain',
      ['shop', 'https://dev.azure.com/acme/My%20Team/_git/shop', 'main'],
    ],
  ])('finds the repository of %s', (address, expected) => {
    expect(projectAt(address)).toEqual(expected);
  });

  it.each([
    'https://forge.example.org/devfile.yaml',
    'https://files.example.org/acme/shop/main/devfile.yaml',
    'https://github.com/acme/shop/blob/main',
    'https://dev.azure.com/acme/team/_git/shop',
  ])('finds none in %s', address => {
    expect(projectAt(address)).toBeUndefined();
  });

  it('keeps what a devfile names itself', () => {
    const url = new URL('https://github.com/acme/shop/blob/main/devfile.yaml');
    const git = { remotes: { origin: 'https://example.org/other.git' } };
    for (const devfile of [
      { ...BARE, projects: [{ name: 'other', git }] },
      { ...BARE, starterProjects: [{ name: 'other', git }] },
    ]) {
      expect(withSourceProject(devfile, url)).toBe(devfile);
    }
  });
});

describe('nameFromUrl', () => {
  it.each([
    ['https://raw.example.org/team/shop/main/devfile.yaml', 'shop'],
    ['https://git.example.org/team/shop/-/raw/main/.devfile.yml', 'shop'],
    ['https://example.org/samples/Node%20JS.yaml', 'node-js'],
    ['https://example.org/java/1.2.0/devfile.yaml', 'java'],
    ['https://example.org/', 'example-org'],
    ['https://example.org/%E0%A4%A', 'e0-a4-a'],
    ['https://127.0.0.1/devfile.yaml', 'workspace'],
  ])('of %s is %s', (url, name) => {
    expect(nameFromUrl(new URL(url))).toBe(name);
  });
});

describe('sanitiseName', () => {
  it.each([
    ['My App', 'my-app'],
    ['../../etc/passwd', 'etc-passwd'],
    ['Größe', 'gro-e'],
    ['99 bottles', 'bottles'],
    ['日本', ''],
    ['a'.repeat(80), 'a'.repeat(63)],
    [`${'a'.repeat(62)}--b`, 'a'.repeat(62)],
  ])('makes %j %j', (text, name) => {
    expect(sanitiseName(text)).toBe(name);
  });
});
