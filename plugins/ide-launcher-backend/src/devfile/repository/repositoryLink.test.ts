import { MergedDevfile } from '../schema/devfile';
import { withSourceProject } from '../address';
import {
  fileAddress,
  FileRef,
  FORGE_KINDS,
  ForgeKind,
  parseRepositoryLink,
} from './repositoryLink';

function linkAt(address: string, forge?: ForgeKind) {
  const link = parseRepositoryLink(new URL(address), forge);
  return link && [link.forge, link.remote.href, link.page, link.name, link.ref];
}

describe('parseRepositoryLink', () => {
  const shop = 'https://github.com/acme/Shop.Web';
  const github = (ref?: string) => [
    'github',
    `${shop}.git`,
    shop,
    'Shop.Web',
    ref,
  ];

  it.each([
    [shop, github()],
    [`${shop}/`, github()],
    [`${shop}.git`, github()],
    [`${shop}/tree/main`, github('main')],
    [`${shop}/tree/feature/cart/src`, github('feature/cart/src')],
    [`${shop}/tree/refs/heads/main`, github('main')],
    [`${shop}/tree/fix%2Fcart`, github('fix/cart')],
    [`${shop}/commit/4c1a5e1`, github('4c1a5e1')],
    [`${shop}/releases/tag/v1.2`, github('v1.2')],
  ])('reads %s', (address, expected) => {
    expect(linkAt(address)).toEqual(expected);
  });

  it.each([
    ['/acme/team/shop', undefined],
    ['/acme/team/shop.git', undefined],
    ['/acme/team/shop/-/tree/fix/cart?ref_type=heads', 'fix/cart'],
    ['/acme/team/shop/-/commit/4c1a5e1', '4c1a5e1'],
    ['/acme/team/shop/-/tags/v1.2', 'v1.2'],
  ])('reads %s of GitLab', (path, ref) => {
    for (const [origin, forge] of [
      ['https://gitlab.com', undefined],
      ['https://code.example.org', 'gitlab'],
    ] as const) {
      const page = `${origin}/acme/team/shop`;
      expect(linkAt(origin + path, forge)).toEqual([
        'gitlab',
        `${page}.git`,
        page,
        'shop',
        ref,
      ]);
    }
  });

  it.each([
    ['https://codeberg.org/acme/shop/src/branch/fix/cart', 'fix/cart'],
    ['https://codeberg.org/acme/shop/src/tag/v1', 'v1'],
    ['https://codeberg.org/acme/shop/commit/4c1a5e1', '4c1a5e1'],
    ['https://forge.example.org/acme/shop/src/branch/main', 'main'],
  ])('reads %s of Gitea and Forgejo', (address, ref) => {
    const page = `${new URL(address).origin}/acme/shop`;
    expect(linkAt(address)).toEqual([
      'gitea',
      `${page}.git`,
      page,
      'shop',
      ref,
    ]);
  });

  it.each([
    ['https://bitbucket.org/acme/shop', undefined],
    ['https://bitbucket.org/acme/shop/src/main/', 'main'],
    ['https://bitbucket.org/acme/shop/branch/fix/cart', 'fix/cart'],
    ['https://bitbucket.org/acme/shop/commits/4c1a5e1', '4c1a5e1'],
  ])('reads %s of Bitbucket Cloud', (address, ref) => {
    const page = 'https://bitbucket.org/acme/shop';
    expect(linkAt(address)).toEqual([
      'bitbucketCloud',
      `${page}.git`,
      page,
      'shop',
      ref,
    ]);
  });

  it.each([
    ['/projects/ACME/repos/shop', undefined],
    [
      '/projects/ACME/repos/shop/browse?at=refs%2Fheads%2Ffix%2Fcart',
      'fix/cart',
    ],
    ['/scm/ACME/shop.git', undefined],
  ])('reads %s of Bitbucket Data Center', (path, ref) => {
    const origin = 'https://bitbucket.example.org';
    expect(linkAt(origin + path)).toEqual([
      'bitbucketServer',
      `${origin}/scm/acme/shop.git`,
      `${origin}/projects/ACME/repos/shop`,
      'shop',
      ref,
    ]);
  });

  it.each([
    ['', undefined],
    ['?version=GBfix/cart', 'fix/cart'],
    ['?path=/&version=GTv1', 'v1'],
  ])('reads the query %j of Azure DevOps', (query, ref) => {
    const page = 'https://dev.azure.com/acme/My%20Team/_git/shop';
    expect(linkAt(page + query)).toEqual(['azure', page, page, 'shop', ref]);
  });

  it('leaves open what a server of unknown kind has', () => {
    const remote = 'https://files.example.org/team/shop';
    expect(linkAt(remote)).toEqual([
      undefined,
      remote,
      remote,
      'shop',
      undefined,
    ]);
    expect(linkAt(`${remote}.git`)).toEqual([
      undefined,
      `${remote}.git`,
      remote,
      'shop',
      undefined,
    ]);
  });

  it.each([
    'https://github.com/acme/shop/blob/main/devfile.yaml',
    'https://github.com/acme/shop/pull/7',
    'https://github.com/acme',
    'https://gitlab.com/acme',
    'https://raw.githubusercontent.com/acme/shop/main/devfile',
    'https://codeberg.org/acme/shop/src/branch/main/.devfile.yml',
    'https://bitbucket.org/acme/shop/src/main/devfile.yaml',
    'https://dev.azure.com/acme/team/_git/shop?path=/devfile.yaml',
    'https://dev.azure.com/acme/team',
    'https://forge.example.org/devfile.yaml',
    'https://forge.example.org/',
  ])('finds no repository in %s', address => {
    expect(linkAt(address)).toBeUndefined();
  });
});

describe('fileAddress', () => {
  const pages: Record<ForgeKind, string> = {
    github: 'https://github.com/acme/shop',
    gitlab: 'https://gitlab.example.org/acme/team/shop',
    gitea: 'https://codeberg.org/acme/shop',
    bitbucketCloud: 'https://bitbucket.org/acme/shop',
    bitbucketServer: 'https://bitbucket.example.org/projects/ACME/repos/shop',
    azure: 'https://dev.azure.com/acme/team/_git/shop',
  };

  it.each(FORGE_KINDS)('is that of a file of the repository, on %s', forge => {
    const refs: FileRef[] = [
      { type: 'branch', name: 'main' },
      { type: 'tag', name: 'v1' },
      { type: 'commit', name: '4c1a5e1' },
    ];
    for (const ref of refs) {
      for (const isRaw of [true, false]) {
        const page = pages[forge];
        const url = fileAddress({ page }, 'devfile.yaml', {
          forge,
          ref,
          isRaw,
        });
        const devfile: MergedDevfile = { schemaVersion: '2.2.2' };
        const { projects } = withSourceProject(devfile, url);
        expect(projects?.[0]).toMatchObject({
          name: 'shop',
          git: { checkoutFrom: { revision: ref.name } },
        });
      }
    }
  });

  it('leaves the default branch to the forge', () => {
    const addresses = FORGE_KINDS.map(
      forge =>
        fileAddress({ page: pages[forge] }, '.devfile.yaml', {
          forge,
          ref: undefined,
          isRaw: false,
        }).href,
    );
    expect(addresses).toEqual([
      'https://github.com/acme/shop/blob/HEAD/.devfile.yaml',
      'https://gitlab.example.org/acme/team/shop/-/blob/HEAD/.devfile.yaml',
      'https://codeberg.org/acme/shop/src/branch/HEAD/.devfile.yaml',
      'https://bitbucket.org/acme/shop/src/HEAD/.devfile.yaml',
      'https://bitbucket.example.org/projects/ACME/repos/shop/browse/.devfile.yaml',
      'https://dev.azure.com/acme/team/_git/shop?path=%2F.devfile.yaml',
    ]);
  });
});
