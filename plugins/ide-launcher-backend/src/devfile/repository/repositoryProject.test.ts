import { MergedDevfile } from '../schema/devfile';
import {
  forRepository,
  includesRepository,
  withRepository,
} from './repositoryProject';

const BARE: MergedDevfile = { schemaVersion: '2.2.2' };
const SHOP = {
  remote: 'https://git.example.org/acme/Shop.Web.git',
  name: 'Shop.Web',
  revision: 'next',
};

describe('withRepository', () => {
  it('names a devfile without a name and projects after the repository', () => {
    expect(withRepository(BARE, SHOP)).toEqual({
      ...BARE,
      metadata: { name: 'shop-web' },
      projects: [
        {
          name: 'shop-web',
          git: {
            remotes: { origin: SHOP.remote },
            checkoutFrom: { revision: 'next' },
          },
        },
      ],
    });
  });

  it('adds the repository beside starter projects', () => {
    const starterProjects = [
      { name: 'hello', zip: { location: 'https://example.org/hello.zip' } },
    ];
    const devfile = withRepository({ ...BARE, starterProjects }, SHOP);
    expect(devfile.projects).toHaveLength(1);
    expect(devfile.starterProjects).toBe(starterProjects);
  });

  it('checks out the repository among the projects of the devfile at its branch', () => {
    const other = {
      name: 'other',
      git: { remotes: { origin: 'https://git.example.org/acme/other.git' } },
    };
    const own = {
      name: 'web',
      git: {
        remotes: {
          fork: 'https://git.example.org/ada/shop.git',
          origin: 'https://git.example.org/acme/shop.web/',
        },
        checkoutFrom: { remote: 'fork', revision: 'main' },
      },
    };
    const devfile = {
      ...BARE,
      metadata: { name: 'web' },
      projects: [other, own],
    };
    const checkoutFrom = { remote: 'origin', revision: 'next' };
    expect(withRepository(devfile, SHOP)).toEqual({
      ...devfile,
      projects: [other, { ...own, git: { ...own.git, checkoutFrom } }],
    });
    const unchanged = withRepository(devfile, { ...SHOP, revision: undefined });
    expect(unchanged).toEqual(devfile);
  });
});

describe('includesRepository', () => {
  it.each([
    ['https://git.example.org/acme/shop.web', true],
    ['https://ada@git.example.org/acme/Shop.Web.git', true],
    ['git@git.example.org:acme/Shop.Web.git', true],
    ['ssh://git@git.example.org:2222/acme/Shop.Web.git', true],
    ['git@git.example.org:acme/shop.git', false],
    ['https://git.example.org/ada/Shop.Web.git', false],
  ])('compares %s', (url, expected) => {
    const project = {
      name: 'web',
      type: 'git' as const,
      clonePath: null,
      remote: { name: 'fork', url: 'https://git.example.org/ada/web.git' },
      otherRemotes: [{ name: 'origin', url }],
      revision: null,
    };
    expect(includesRepository({ projects: [project] }, SHOP)).toBe(expected);
  });
});

describe('forRepository', () => {
  it('replaces the projects of a devfile that is used for any repository', () => {
    const zip = { location: 'https://example.org/hello.zip' };
    const devfile = {
      ...BARE,
      metadata: { name: 'universal' },
      projects: [{ name: 'hello', zip }],
      starterProjects: [{ name: 'hello', zip }],
    };
    const { projects, ...rest } = forRepository(devfile, SHOP);
    expect(rest).toEqual({ ...BARE, metadata: { name: 'universal' } });
    expect(projects?.map(({ name }) => name)).toEqual(['shop-web']);
  });
});
