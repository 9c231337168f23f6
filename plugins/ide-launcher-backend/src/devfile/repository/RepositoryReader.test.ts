import { ConfigReader } from '@backstage/config';
import { FakeUrlReader } from '../__testUtils__/FakeUrlReader';
import { AnsweredError, DevfileReader } from '../DevfileReader';
import { RepositoryRefs } from './RefReader';
import { RepositoryReader } from './RepositoryReader';

const HOST = 'https://git.example.org';
const SHOP = `${HOST}/acme/shop`;
const COMMIT = '4c1a5e1d0c3b2a19081726354433221100ffeedd';
const signal = new AbortController().signal;
/** Options for an address that may be that of something else. */
const UNCERTAIN = { isRepository: false, signal };

const REFS: RepositoryRefs = {
  defaultBranch: 'trunk',
  branches: new Map([
    ['trunk', COMMIT],
    ['feature/cart', COMMIT],
    ['fix/#7', COMMIT],
  ]),
  tags: new Map([['v1', COMMIT]]),
  isComplete: true,
};

/** Finds a repository on a GitLab server with these files, of which `refs` are public. */
async function find(
  address: string,
  options: {
    files?: Record<string, string | Error>;
    refs?: RepositoryRefs;
    revision?: string;
  } = {},
) {
  const urlReader = new FakeUrlReader({ [HOST]: '', ...options.files });
  const config = new ConfigReader({
    integrations: {
      gitlab: [{ host: 'git.example.org', apiBaseUrl: `${HOST}/api/v4` }],
    },
  });
  const asked: string[] = [];
  const repositories = new RepositoryReader({
    reader: DevfileReader.fromConfig(config, { urlReader }),
    refs: {
      read: async remote => {
        asked.push(remote.href);
        return options.refs;
      },
    },
  });
  const { revision } = options;
  const found = await repositories.find(new URL(address), {
    revision,
    isRepository: false,
    signal,
  });
  return { found, asked, read: urlReader.read };
}

describe('RepositoryReader', () => {
  it('reads the devfile of the default branch, and prefers the name without a dot', async () => {
    const files = {
      [`${SHOP}/-/blob/trunk/devfile.yaml`]: 'one',
      [`${SHOP}/-/blob/trunk/.devfile.yaml`]: 'other',
    };
    const { found, asked } = await find(SHOP, { files, refs: REFS });
    expect(asked).toEqual([`${SHOP}.git`]);
    expect(found).toEqual({
      remote: `${SHOP}.git`,
      name: 'shop',
      page: SHOP,
      revision: undefined,
      isPrivate: false,
      devfile: {
        file: 'devfile.yaml',
        url: new URL(`${SHOP}/-/blob/trunk/devfile.yaml`),
        text: 'one',
      },
    });
  });

  it.each([
    ['feature/cart', 'feature/cart', COMMIT],
    ['feature/cart/src/app', 'feature/cart', COMMIT],
    ['trunk/src', 'trunk', 'trunk'],
    ['v1', 'v1', 'v1'],
    ['4c1a5e1', '4c1a5e1', '4c1a5e1'],
    ['HEAD/src', undefined, 'trunk'],
  ])('tells the branch of %s from a folder', async (ref, revision, inFile) => {
    const { found, read } = await find(`${SHOP}/-/tree/${ref}`, { refs: REFS });
    expect(found).toMatchObject({ revision, devfile: undefined });
    expect(read).toEqual([
      `${SHOP}/-/blob/${inFile}/devfile.yaml`,
      `${SHOP}/-/blob/${inFile}/.devfile.yaml`,
    ]);
  });

  it('prefers a chosen revision, which has no folder', async () => {
    const address = `${SHOP}/-/tree/trunk`;
    const { found } = await find(address, { refs: REFS, revision: 'v1' });
    expect(found?.revision).toBe('v1');
    await expect(
      find(address, { refs: REFS, revision: 'v1/src' }),
    ).rejects.toThrow(
      `revision: ${SHOP} has no branch, tag or commit 'v1/src'`,
    );
  });

  it('takes a branch for granted if there are too many to be listed', async () => {
    const refs = { ...REFS, isComplete: false };
    const { found } = await find(`${SHOP}/-/tree/far`, { refs });
    expect(found?.revision).toBe('far');
  });

  it.each([
    ['nope', `${SHOP} has no branch, tag or commit 'nope'`],
    ['fix/%237', /name of the branch or tag 'fix\/#7' is not supported/],
  ])('refuses the branch %s', async (ref, message) => {
    await expect(find(`${SHOP}/-/tree/${ref}`, { refs: REFS })).rejects.toThrow(
      message,
    );
  });

  it('reads a private repository with the credentials of the portal, if it has a devfile', async () => {
    const files = { [`${SHOP}/-/blob/main/.devfile.yaml`]: 'mine' };
    const address = `${SHOP}/-/tree/main`;
    const { found } = await find(address, { files });
    expect(found).toMatchObject({
      revision: 'main',
      isPrivate: true,
      devfile: { file: '.devfile.yaml', text: 'mine' },
    });
    const cart = { [`${SHOP}/-/blob/feature%2Fcart/devfile.yaml`]: 'cart' };
    const other = await find(`${SHOP}/-/tree/feature/cart`, { files: cart });
    expect(other.found).toMatchObject({
      revision: 'feature/cart',
      devfile: { text: 'cart' },
    });
    const refused = new Error(`could not read ${SHOP}, 401 Unauthorized`);
    const closed = { [`${SHOP}/-/blob/main/devfile.yaml`]: refused };
    await expect(find(address, { files: closed })).rejects.toThrow(
      `cannot read the repository ${SHOP}: it does not exist, or it is private. A private repository needs a devfile in its root, and a token for git.example.org under integrations`,
    );
  });

  it('reports a forge that fails, instead of using the default devfile', async () => {
    const url = `${SHOP}/-/blob/trunk/devfile.yaml`;
    const files = {
      [url]: new Error(`could not read ${url}, 503 Unavailable`),
    };
    await expect(find(SHOP, { files, refs: REFS })).rejects.toThrow(
      `${url} answered 503`,
    );
  });

  it('takes no page for a devfile', async () => {
    const files = { [`${SHOP}/-/blob/trunk/devfile.yaml`]: '\n<html>' };
    const { found } = await find(SHOP, { files, refs: REFS });
    expect(found?.devfile).toBeUndefined();
  });

  it('finds nothing at the address of a file', async () => {
    const { asked, found } = await find(`${SHOP}/-/blob/main/devfile.yaml`);
    expect(found).toBeUndefined();
    expect(asked).toEqual([]);
  });
});

describe('RepositoryReader on a server of unknown kind', () => {
  const place = 'https://files.example.org/team/shop';

  /** Reads from a server with one file, whose repositories are listed by `refs`. */
  function readerOf(
    file: string,
    refs: () => Promise<RepositoryRefs | undefined>,
    status = 404,
  ) {
    const read: string[] = [];
    const logged: string[] = [];
    const repositories = new RepositoryReader({
      reader: {
        integrationAt: () => undefined,
        read: async address => {
          const url = new URL(address);
          read.push(url.pathname);
          if (url.pathname !== file) {
            throw new AnsweredError(url, status);
          }
          return 'schemaVersion: 2.2.2';
        },
      },
      refs: { read: refs },
      logger: { debug: line => logged.push(line) },
    });
    return { logged, read, repositories };
  }

  it('looks for the devfile where each kind of forge has it', async () => {
    const file = '/team/shop/raw/branch/trunk/.devfile.yaml';
    const { read, repositories } = readerOf(file, async () => REFS);
    const found = await repositories.find(new URL(place), UNCERTAIN);
    expect(found?.devfile?.url.pathname).toBe(file);
    expect(read).toEqual([
      '/team/shop/-/raw/trunk/devfile.yaml',
      '/team/shop/-/raw/trunk/.devfile.yaml',
      '/team/shop/raw/branch/trunk/devfile.yaml',
      file,
    ]);
  });

  it('leaves an address to others that may be something else', async () => {
    const silent = readerOf('', async () => undefined).repositories;
    const failing = readerOf('', async () => {
      throw new Error('read ECONNRESET');
    }).repositories;
    const url = new URL(place);
    await expect(silent.find(url, UNCERTAIN)).resolves.toBeUndefined();
    await expect(failing.find(url, UNCERTAIN)).resolves.toBeUndefined();
    const remote = new URL(`${place}.git`);
    await expect(silent.find(remote, UNCERTAIN)).rejects.toThrow(
      `cannot read the repository ${place}`,
    );
    await expect(failing.find(remote, UNCERTAIN)).rejects.toThrow(
      'cannot reach files.example.org: no connection',
    );
  });

  it('reports why an address that must be a repository cannot be read', async () => {
    const url = new URL(place);
    const { logged, repositories: failing } = readerOf('', async () => {
      throw new Error('read ECONNRESET');
    });
    const silent = readerOf('', async () => undefined).repositories;
    const certain = { isRepository: true, signal };
    await expect(failing.find(url, certain)).rejects.toThrow(
      'cannot reach files.example.org: no connection',
    );
    expect(logged).toEqual([
      `Reading the branches of ${place} failed: Error: read ECONNRESET`,
    ]);
    await expect(silent.find(url, certain)).rejects.toThrow(
      `cannot read the repository ${place}: it does not exist, or it is private`,
    );
  });

  it('goes on if the server refuses an address that another kind has', async () => {
    const file = '/team/shop/raw/branch/trunk/devfile.yaml';
    const { read, repositories } = readerOf(file, async () => REFS, 403);
    const found = await repositories.find(new URL(place), UNCERTAIN);
    expect(found?.devfile?.url.pathname).toBe(file);
    expect(read).toHaveLength(3);
  });

  it('reports a server that does not answer in time', async () => {
    const timeout = AbortSignal.timeout(1);
    const { repositories } = readerOf('', async () => {
      await new Promise(resolve => timeout.addEventListener('abort', resolve));
      throw timeout.reason;
    });
    await expect(
      repositories.find(new URL(place), { ...UNCERTAIN, signal: timeout }),
    ).rejects.toThrow('files.example.org did not answer in time');
  });
});

describe('RepositoryReader on Azure DevOps', () => {
  const page = 'https://dev.azure.com/acme/team/_git/shop';

  function readAt(version: string) {
    const urlReader = new FakeUrlReader({ [page]: '' });
    const repositories = new RepositoryReader({
      reader: DevfileReader.fromConfig(new ConfigReader({}), { urlReader }),
      refs: { read: async () => REFS },
    });
    const url = new URL(`${page}?version=${version}`);
    return { found: repositories.find(url, UNCERTAIN), urlReader };
  }

  it('reads the devfile of a branch with a slash', async () => {
    const { found, urlReader } = readAt('GBfeature/cart');
    expect((await found)?.revision).toBe('feature/cart');
    expect(new URL(urlReader.read[0]).searchParams.get('version')).toBe(
      'GBfeature/cart',
    );
  });

  it('reports that the devfile of a commit cannot be read', async () => {
    await expect(readAt(`GC${COMMIT}`).found).rejects.toThrow(
      `the devfile at a commit of ${page} cannot be read: name a branch or a tag`,
    );
  });
});
