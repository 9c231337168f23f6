import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { BuildClient } from '../__testUtils__/BuildClient.ts';
import { gitIn } from '../__testUtils__/gitIn.ts';
import { serveGit } from '../__testUtils__/serveGit.ts';
import { startBuildServer } from '../__testUtils__/startBuildServer.ts';
import { repositoryAt } from './forgeApi.ts';

/** Statuses that each forge accepts; it rejects all others like the real one. */
const FORGES = {
  github: {
    path: (sha: string) => `/repos/shop/statuses/${sha}`,
    states: ['pending', 'success', 'failure', 'error'],
    name: 'context',
    credential: ['authorization', 'Bearer forge-token'],
  },
  gitea: {
    path: (sha: string) => `/repos/shop/statuses/${sha}`,
    states: ['pending', 'success', 'failure', 'error', 'warning'],
    name: 'context',
    credential: ['authorization', 'token forge-token'],
  },
  gitlab: {
    path: (sha: string) => `/projects/shop/statuses/${sha}`,
    states: ['pending', 'running', 'success', 'failed', 'canceled'],
    name: 'name',
    credential: ['private-token', 'forge-token'],
  },
  'bitbucket-cloud': {
    path: (sha: string) =>
      `/repositories/acme/shop/commit/${sha}/statuses/build`,
    states: ['INPROGRESS', 'SUCCESSFUL', 'FAILED', 'STOPPED'],
    name: 'name',
    credential: ['authorization', 'Bearer forge-token'],
  },
  'bitbucket-server': {
    path: (sha: string) => `/projects/acme/repos/shop/commits/${sha}/builds`,
    states: ['INPROGRESS', 'SUCCESSFUL', 'FAILED', 'CANCELLED', 'UNKNOWN'],
    name: 'name',
    credential: ['authorization', 'Bearer forge-token'],
  },
} as const;

/** Checks what only Bitbucket expects. @returns the field at fault. */
function bitbucketFault(kind: string, body: Record<string, string>) {
  const isCloud = kind === 'bitbucket-cloud';
  const ref = isCloud
    ? body.refname === 'main'
    : body.ref === 'refs/heads/main';
  return [
    !/^.{1,40}$/.test(body.key ?? '') && 'key',
    !ref && 'ref',
    !isCloud && body.buildNumber !== '1' && 'buildNumber',
  ].find(Boolean);
}

let folder: string;
let sha: string;
let host: Awaited<ReturnType<typeof serveGit>>;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'status-'));
  const git = (...args: string[]) => gitIn(folder, ...args);
  git('init', '--quiet', '-b', 'main', 'work');
  await writeFile(path.join(folder, 'work/file'), 'one');
  git('-C', 'work', 'add', '.');
  git('-C', 'work', 'commit', '--quiet', '-m', 'One');
  sha = git('-C', 'work', 'rev-parse', 'HEAD').trim();
  for (const place of ['shop.git', 'acme/shop.git', 'scm/acme/shop.git']) {
    git('clone', '--quiet', '--bare', 'work', place);
  }
  host = await serveGit(folder);
});

afterAll(async () => {
  host.stop();
  await rm(folder, { recursive: true });
});

/** A forge that checks each call, and keeps the status of its commit. */
async function startForge(kind: keyof typeof FORGES) {
  const { path: pathOf, states, name, credential } = FORGES[kind];
  const isBitbucket = kind.startsWith('bitbucket');
  const seen: Record<string, string>[] = [];
  const refused: string[] = [];
  let failures = 1;
  const server: Server = createServer(async (request, response) => {
    const body = JSON.parse(await text(request));
    const [header, value] = credential;
    const fault = [
      request.method !== 'POST' && 'method',
      request.url !== pathOf(sha) && request.url,
      request.headers[header] !== value && 'credential',
      !(states as readonly string[]).includes(body.state) && body.state,
      body[name] !== 'slipway/shop' && !isBitbucket && 'name',
      body.description.length > 140 && 'description',
      !URL.canParse(isBitbucket ? body.url : body.target_url) && 'target',
      isBitbucket && bitbucketFault(kind, body),
    ].find(Boolean);
    if (fault) {
      refused.push(fault);
      response.writeHead(422).end();
    } else if (failures > 0) {
      // The receiver is down for a moment; notifications are retried.
      failures -= 1;
      response.writeHead(502).end();
    } else if (kind === 'gitlab' && seen.at(-1)?.state === body.state) {
      response.writeHead(400).end('Cannot transition status');
    } else {
      seen.push(body);
      response.writeHead(201).end('{}');
    }
  }).listen(0, '127.0.0.1');
  await new Promise(resolve => {
    server.once('listening', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return { server, seen, refused, url: `http://127.0.0.1:${port}` };
}

it.each([
  ['github', 'true', 'success'],
  ['github', 'false', 'failure'],
  ['gitea', 'true', 'success'],
  ['gitlab', 'false', 'failed'],
] as const)('%s is told that %s is %s', async (kind, run, state) => {
  const forge = await startForge(kind);
  const server = await startBuildServer({
    jobs: [
      {
        name: 'shop',
        source: { repository: `${host.url}/shop.git`, branch: 'main' },
        webhook: { token: 'hello-webhook' },
        steps: [{ name: 'Run', run }],
      },
    ],
    config: {
      git: { protocols: ['http'] },
      portal: { baseUrl: 'http://127.0.0.1:1', appUrl: 'http://portal' },
      forges: {
        ours: { kind, url: host.url, apiUrl: forge.url, token: 'forge-token' },
      },
    },
  });
  try {
    const client = new BuildClient(server.url);
    const { body } = await client.json(
      '/generic-webhook-trigger/invoke?token=test-webhook-token',
      { ref: 'refs/heads/main', after: sha },
    );
    expect(body.jobs.shop.triggered).toBe(true);
    await vi.waitFor(() => expect(forge.seen.at(-1)?.state).toBe(state), {
      timeout: 20_000,
      interval: 50,
    });
    expect(forge.refused).toEqual([]);
    expect(forge.seen.at(-1)).toMatchObject({
      target_url: 'http://portal/builds/shop/1',
      description:
        run === 'true'
          ? 'Build #1: SUCCESS'
          : 'Run failed: it ended with exit code 1',
    });
  } finally {
    await server.stop();
    forge.server.close();
  }
});

it('tells the end of a build whose branch is gone', async () => {
  const forge = await startForge('github');
  const server = await startBuildServer({
    jobs: [
      {
        name: 'shop',
        source: { repository: `${host.url}/shop.git` },
        webhook: { token: 'hello-webhook' },
        pipelines: {},
      } as never,
    ],
    config: {
      executors: 0,
      git: { protocols: ['http'] },
      forges: {
        ours: {
          kind: 'github',
          url: host.url,
          apiUrl: forge.url,
          token: 'forge-token',
        },
      },
    },
  });
  try {
    const client = new BuildClient(server.url);
    const push = async (payload: object) =>
      client.json(
        '/generic-webhook-trigger/invoke?token=test-webhook-token',
        { ref: 'refs/heads/main', ...payload },
        { 'x-github-event': 'push' },
      );
    const { body } = await push({ after: sha });
    await vi.waitFor(() => expect(forge.seen.at(-1)?.state).toBe('pending'), {
      timeout: 20_000,
    });
    await push({ after: '0'.repeat(40), deleted: true });
    expect((await client.get('/api/json')).body.jobs).toHaveLength(1);
    const { pathname } = new URL(body.jobs.shop.url);
    const [, id] = /item\/(\d+)/.exec(pathname)!;
    await client.post(`/queue/cancelItem?id=${id}`);
    await vi.waitFor(() => expect(forge.seen.at(-1)?.state).toBe('error'), {
      timeout: 20_000,
    });
    expect(forge.refused).toEqual([]);
  } finally {
    await server.stop();
    forge.server.close();
  }
});

it.each([
  ['bitbucket-cloud', 'acme', 'true', 'SUCCESSFUL'],
  ['bitbucket-server', 'scm/acme', 'false', 'FAILED'],
] as const)(
  '%s with %s is told that %s is %s, by a short key',
  async (kind, project, run, state) => {
    const forge = await startForge(kind);
    const job = `shop-${'with-a-long-name-'.repeat(3)}`;
    const server = await startBuildServer({
      jobs: [
        {
          name: job,
          source: {
            repository: `${host.url}/${project}/shop.git`,
            branch: 'main',
          },
          webhook: { token: 'hello-webhook' },
          steps: [{ name: 'Run', run }],
        },
      ],
      config: {
        git: { protocols: ['http'] },
        portal: { baseUrl: 'http://127.0.0.1:1', appUrl: 'http://portal' },
        forges: {
          ours: {
            kind,
            url: host.url,
            apiUrl: forge.url,
            token: 'forge-token',
          },
        },
      },
    });
    try {
      await new BuildClient(server.url).json(
        '/generic-webhook-trigger/invoke?token=test-webhook-token',
        { ref: 'refs/heads/main', after: sha },
      );
      await vi.waitFor(() => expect(forge.seen.at(-1)?.state).toBe(state), {
        timeout: 20_000,
        interval: 50,
      });
      expect(forge.refused).toEqual([]);
      const [first, last] = [forge.seen[0], forge.seen.at(-1)];
      expect(last).toMatchObject({
        key: first.key,
        name: `slipway/${job}`,
        url: `http://portal/builds/${job}/1`,
      });
    } finally {
      await server.stop();
      forge.server.close();
    }
  },
);

it.each([
  [
    'https://forge.example.org',
    'https://forge.example.org/shop/cart.git',
    'shop/cart',
  ],
  [
    'https://forge.example.org/git',
    'https://ci:x@forge.example.org/git/a/b/c',
    'a/b/c',
  ],
  [
    'https://forge.example.org/git',
    'https://forge.example.org/github/a',
    undefined,
  ],
  [
    'https://forge.example.org',
    'https://forge.example.org.evil.org/a/b',
    undefined,
  ],
  [
    'https://forge.example.org',
    'ssh://git@forge.example.org/shop/cart.git',
    'shop/cart',
  ],
])('at %s the repository of %s is %s', (url, address, expected) => {
  expect(repositoryAt({ url }, address)).toBe(expected);
});

it('leaves out the folder in which Bitbucket Server serves git', () => {
  const forge = { url: 'https://git.example.org/bitbucket' };
  const address = 'https://git.example.org/bitbucket/scm/~ada/cart.git';
  expect(repositoryAt({ ...forge, kind: 'bitbucket-server' }, address)).toBe(
    '~ada/cart',
  );
  expect(repositoryAt({ ...forge, kind: 'gitea' }, address)).toBe(
    'scm/~ada/cart',
  );
});
