import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { UrlReaders } from '@backstage/backend-defaults/urlReader';
import { mockServices } from '@backstage/backend-test-utils';
import { ConfigReader } from '@backstage/config';
import { ScmIntegrations } from '@backstage/integration';
import { forges } from './forges';

const SECRET = 'the secrets of the machine';

/** Requests that reached the forge or the internal server. */
const asked: string[] = [];
const inside: string[] = [];
let answer: RequestListener;
let forge: Server;
let machine: Server;
let host: string;

const portOf = (server: Server) => (server.address() as AddressInfo).port;

beforeAll(async () => {
  forge = createServer((req, res) => {
    asked.push(`${req.headers.host}${req.url}`);
    answer(req, res);
  }).listen(0, '127.0.0.1');
  machine = createServer((req, res) => {
    inside.push(`${req.url} ${JSON.stringify(req.headers)}`);
    res.end(SECRET);
  }).listen(0, '127.0.0.1');
  await Promise.all([once(forge, 'listening'), once(machine, 'listening')]);
  host = `localhost:${portOf(forge)}`;
});

beforeEach(() => {
  asked.length = 0;
  inside.length = 0;
});

afterEach(() => {
  vi.restoreAllMocks();
});

afterAll(() => {
  for (const server of [forge, machine]) {
    server.closeAllConnections();
    server.close();
  }
});

/** The address of a file at each forge, with `*` in place of the file for a pattern. */
const FORGES = {
  github: {
    config: () => ({ apiBaseUrl: `http://${host}/api/v3`, token: 'x' }),
    url: (file: string) => `http://${host}/acme/shop/blob/main/${file}`,
  },
  gitlab: {
    config: () => ({
      baseUrl: `http://${host}`,
      apiBaseUrl: `http://${host}/api/v4`,
      token: 'x',
    }),
    url: (file: string) => `http://${host}/acme/shop/-/blob/main/${file}`,
  },
  bitbucketServer: {
    config: () => ({ apiBaseUrl: `http://${host}/rest/api/1.0`, token: 'x' }),
    url: (file: string) =>
      `http://${host}/projects/acme/repos/shop/browse/${file}?at=main`,
  },
  bitbucketCloud: {
    config: () => ({ username: 'x', appPassword: 'x' }),
    url: (file: string) => `https://bitbucket.org/acme/shop/src/main/${file}`,
  },
  azure: {
    config: () => ({}),
    url: (file: string) =>
      `http://${host}/acme/project/_git/shop?path=%2F${file}`,
  },
  gitea: {
    config: () => ({ baseUrl: `http://${host}` }),
    url: (file: string) => `http://${host}/acme/shop/src/branch/main/${file}`,
  },
  gerrit: {
    config: () => ({
      baseUrl: `http://${host}`,
      gitilesBaseUrl: `http://${host}/plugins/gitiles`,
    }),
    url: (file: string) =>
      `http://${host}/plugins/gitiles/shop/+/refs/heads/main/${file}`,
  },
} as const;

type Forge = keyof typeof FORGES;

function readerOf(forgeName: Forge, allow: object[] = []) {
  const section = { host, ...FORGES[forgeName].config() };
  const config = new ConfigReader({
    backend: { reading: { allow } },
    integrations: {
      [forgeName]: [
        forgeName === 'bitbucketCloud'
          ? { ...section, host: 'bitbucket.org' }
          : section,
      ],
    },
  });
  if (forgeName === 'bitbucketCloud') {
    moveBitbucketCloud();
  }
  return UrlReaders.default({
    config,
    logger: mockServices.rootLogger(),
    factories: [forges],
  });
}

/**
 * Redirects the library's calls to Bitbucket Cloud, whose address is fixed, in both of
 * its builds.
 */
function moveBitbucketCloud() {
  vi.restoreAllMocks();
  const { ScmIntegrations: required } = createRequire(__filename)(
    '@backstage/integration',
  );
  const apiBaseUrl = `http://${host}/2.0`;
  for (const library of [ScmIntegrations, required as typeof ScmIntegrations]) {
    const { fromConfig } = library;
    vi.spyOn(library, 'fromConfig').mockImplementation(given => {
      const integrations = fromConfig.call(library, given);
      for (const { config } of integrations.bitbucketCloud.list()) {
        config.apiBaseUrl = apiBaseUrl;
      }
      return integrations;
    });
  }
}

/** Returns everything that any forge's first responses contain, so that its reader continues. */
function anything() {
  const machineUrl = `http://127.0.0.1:${portOf(machine)}`;
  const branch = { displayId: 'main', latestCommit: 'abc', isDefault: true };
  return {
    default_branch: 'main',
    sha: 'abc',
    revision: 'abc',
    commit: { id: 'abc' },
    mainbranch: { name: 'main' },
    repository: {
      archive_url: `${machineUrl}/archive{/ref}`,
      trees_url: `${machineUrl}/trees{/sha}`,
    },
    value: [{ commitId: 'abc' }],
    values: [{ ...branch, hash: 'abc' }],
  };
}

const WAYS = [
  ['readUrl', 'catalog-info.yaml'],
  ['readTree', 'services'],
  ['search', '*/catalog-info.yaml'],
] as const;

const CASES = (Object.keys(FORGES) as Forge[]).flatMap(name =>
  WAYS.flatMap(([way, file]) => {
    const isUnknown = name === 'gitea' && way === 'search';
    return isUnknown ? [] : [{ name, way, file }];
  }),
);

describe.each(CASES)('$way of $name', ({ name, way, file }) => {
  const read = async () =>
    readerOf(name)
      [way](FORGES[name].url(file))
      .then(
        () => new Error('was read'),
        (error: Error) => error,
      );

  it.each([
    ['an address', () => `http://127.0.0.1:${portOf(machine)}/meta-data`],
    ['a name', () => `http://localhost:${portOf(machine)}/meta-data`],
    ['a hidden address', () => `http://[::ffff:7f00:1]:${portOf(machine)}/`],
    ['a cloud', () => 'http://169.254.169.254/latest/meta-data'],
  ])(
    'follows no redirect into the internal network: %s',
    async (_, location) => {
      answer = (_req, res) =>
        res.writeHead(302, { location: location() }).end();
      const error = await read();
      expect(`${error}`).toMatch(/^NotAllowedError: /);
      expect(error.message).toContain(
        `${new URL(location()).host} is not allowed`,
      );
      expect(error.message).not.toContain(SECRET);
      expect(asked).toHaveLength(1);
      expect(inside).toEqual([]);
    },
  );

  it('sends nothing there after successful responses either', async () => {
    const location = `http://127.0.0.1:${portOf(machine)}/archive`;
    for (const good of [1, 2]) {
      asked.length = 0;
      answer = (_req, res) => {
        if (asked.length > good) {
          res.writeHead(307, { location }).end();
        } else {
          const start = name === 'gerrit' ? ")]}'\n" : '';
          res.end(start + JSON.stringify(anything()));
        }
      };
      const error = await read();
      expect(error.message).not.toContain(SECRET);
      expect(inside).toEqual([]);
    }
  });
});

describe('the readers of forges', () => {
  it('apply the same rules to the results of a search', async () => {
    const url = FORGES.github.url('*/catalog-info.yaml');
    const blobs = [
      `http://${host}/blobs/1`,
      `http://127.0.0.1:${portOf(machine)}/blobs/2`,
    ];
    const bodies: Record<string, object> = {
      '/api/v3/repos/acme/shop/commits/main/status?per_page=0': {
        sha: 'abc',
        repository: { trees_url: `http://${host}/trees{/sha}` },
      },
      '/trees/abc?recursive=true': {
        tree: blobs.map((each, index) => ({
          path: `${index}/catalog-info.yaml`,
          type: 'blob',
          url: each,
        })),
      },
      '/blobs/1': { content: Buffer.from('kind: API').toString('base64') },
    };
    answer = (req, res) => res.end(JSON.stringify(bodies[req.url!]));
    const { files } = await readerOf('github').search(url);
    expect(String(await files[0].content())).toBe('kind: API');
    await expect(files[1].content()).rejects.toThrow(
      `127.0.0.1:${portOf(machine)} is not allowed`,
    );
    expect(inside).toEqual([]);
  });

  it('call internal hosts listed by an operator, without credentials', async () => {
    const location = `http://localhost:${portOf(machine)}/archive`;
    answer = (_req, res) => res.writeHead(302, { location }).end();
    for (const name of ['github', 'gitlab', 'gerrit'] as const) {
      const file = await readerOf(name, [
        { host: `localhost:${portOf(machine)}` },
      ]).readUrl(FORGES[name].url('catalog-info.yaml'));
      await file.buffer();
    }
    expect(inside).toHaveLength(3);
    expect(inside.join()).not.toMatch(/authorization|private-token/i);
  });

  it('stop reading an endless JSON response', async () => {
    let sent = 0;
    const piece = Buffer.alloc(256 * 1024, 'a');
    answer = (_req, res) => {
      res.write('{"encoding": "base64", "content": "');
      const write = () => {
        while (sent < 64 * 1024 ** 2 && !res.destroyed) {
          sent += piece.length;
          if (!res.write(piece)) {
            res.once('drain', write);
            return;
          }
        }
        res.end('"}');
      };
      write();
    };
    const read = readerOf('gitea').readUrl(
      FORGES.gitea.url('catalog-info.yaml'),
    );
    await expect(read).rejects.toThrow('is larger than 2097152 bytes');
    expect(sent).toBeLessThan(32 * 1024 ** 2);
  });

  it('do not affect requests of other code', async () => {
    answer = (_req, res) =>
      res.writeHead(302, { location: `http://${host}/elsewhere` }).end();
    await readerOf('github')
      .readUrl(FORGES.github.url('catalog-info.yaml'))
      .catch(() => undefined);
    const url = `http://127.0.0.1:${portOf(machine)}/health`;
    expect(await (await fetch(url)).text()).toBe(SECRET);
  });
});

it('reads from Amazon S3 follow no redirects, although its library would', async () => {
  answer = (_req, res) =>
    res
      .writeHead(307, { location: `http://127.0.0.1:${portOf(machine)}/` })
      .end();
  const awsS3 = {
    endpoint: `http://${host}`,
    s3ForcePathStyle: true,
    accessKeyId: 'x',
    secretAccessKey: 'x',
  };
  const reader = UrlReaders.default({
    config: new ConfigReader({ integrations: { awsS3: [awsS3] } }),
    logger: mockServices.rootLogger(),
    factories: [forges],
  });
  await expect(
    reader.readUrl(`http://${host}/bucket/catalog-info.yaml`),
  ).rejects.toThrow('Could not retrieve file from S3');
  expect(asked).toHaveLength(1);
  expect(inside).toEqual([]);
});
