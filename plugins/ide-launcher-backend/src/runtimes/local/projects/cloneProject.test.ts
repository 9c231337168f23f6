import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
} from 'node:fs';
import { createServer, AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DevfileProject } from '../../../devfile/types';
import { GitServer } from '../__testUtils__/gitServer';
import { anyRemote } from '../__testUtils__/harness';
import { runInWorkspace } from '../process/programs';
import {
  cloneProject,
  CloneRequest,
  gitEnvironment,
  writeGitCaBundle,
} from './cloneProject';

type GitProject = Extract<DevfileProject, { type: 'git' }>;

describe('cloneProject', () => {
  let server: GitServer;
  let root: string;
  let caFile: string;

  beforeAll(async () => {
    server = await GitServer.start();
  });

  afterAll(() => server.stop());

  beforeEach(() => {
    root = mkdtempSync(path.join(tmpdir(), 'clone-'));
    caFile = path.join(root, 'bundle.pem');
    writeGitCaBundle(server.caFile, caFile);
  });

  afterEach(() => rmSync(root, { recursive: true, force: true }));

  function clone(
    project: Partial<GitProject>,
    overrides: Partial<CloneRequest> = {},
  ): Promise<string | null> {
    return cloneProject({
      run: runInWorkspace,
      guard: anyRemote,
      project: {
        name: 'demo',
        type: 'git',
        clonePath: null,
        remote: { name: 'origin', url: server.url },
        otherRemotes: [],
        revision: null,
        ...project,
      },
      folder: path.join(root, 'projects', 'demo'),
      incoming: path.join(root, 'incoming'),
      env: gitEnvironment({
        path: process.env.PATH ?? '',
        home: root,
        caFile,
        extra: {},
      }),
      limits: { cloneTimeoutMs: 120_000, cloneMaxBytes: 1024 ** 2 },
      signal: new AbortController().signal,
      onLine: () => {},
      onProgress: () => {},
      ...overrides,
    });
  }

  function readme() {
    return readFileSync(path.join(root, 'projects/demo/README.md'), 'utf8');
  }

  function git(...args: string[]) {
    return execFileSync(
      'git',
      ['-C', path.join(root, 'projects/demo'), ...args],
      {
        encoding: 'utf8',
      },
    ).trim();
  }

  it('clones over https with the configured certificate authority', async () => {
    expect(await clone({})).toBeNull();
    expect(readme()).toBe('first\n');
    expect(readdirSync(path.join(root, 'incoming'))).toEqual([]);
  });

  it('checks out the revision and adds the other remotes', async () => {
    const upstream = {
      name: 'upstream',
      url: 'https://git.example.org/demo.git',
    };
    expect(
      await clone({ revision: 'next', otherRemotes: [upstream] }),
    ).toBeNull();

    expect(readme()).toBe('second\n');
    expect(git('branch', '--show-current')).toBe('next');
    expect(git('remote', 'get-url', 'upstream')).toBe(upstream.url);
  });

  it('reports git’s error if the revision does not exist', async () => {
    expect(await clone({ revision: 'missing' })).toMatch(/missing/);
    expect(existsSync(path.join(root, 'projects'))).toBe(false);
  });

  it('rejects an untrusted certificate', async () => {
    const env = gitEnvironment({
      path: process.env.PATH ?? '',
      home: root,
      extra: {},
    });
    expect(await clone({}, { env })).toMatch(/certificate/i);
  });

  it('ends a clone that grows over the limit', async () => {
    const limits = { cloneTimeoutMs: 120_000, cloneMaxBytes: 10_000 };
    expect(await clone({}, { limits })).toMatch(/^it is larger than/);
    expect(existsSync(path.join(root, 'projects'))).toBe(false);
  });

  it('ends a clone that takes too long, and one that is cancelled', async () => {
    const silent = createServer().listen(0, '127.0.0.1');
    await new Promise(resolve => silent.once('listening', resolve));
    const { port } = silent.address() as AddressInfo;
    const remote = {
      name: 'origin',
      url: `https://localhost:${port}/demo.git`,
    };

    const limits = { cloneTimeoutMs: 300, cloneMaxBytes: 1024 ** 2 };
    expect(await clone({ remote }, { limits })).toBe(
      'it timed out after 0 seconds',
    );
    const signal = AbortSignal.timeout(300);
    await expect(clone({ remote }, { signal })).rejects.toThrow(/timeout/);
    silent.close();
  });

  it.each([
    ['file:///etc', 'only https addresses are supported, not file'],
    [
      'ssh://git@example.org/demo.git',
      'only https addresses are supported, not ssh',
    ],
    ['git@example.org:demo.git', 'its address is not an https URL'],
    ['ext::sh -c id', 'only https addresses are supported, not ext'],
    ['--upload-pack=id', 'its address is not an https URL'],
    [
      'https://ada:hush@example.org/demo.git',
      'its address contains credentials',
    ],
  ])('refuses to clone %s', async (url, reason) => {
    expect(await clone({ remote: { name: 'origin', url } })).toBe(reason);
  });

  it.each(['--output=x', 'a..b', 'main@{1}', ' main'])(
    'refuses the revision %j',
    async revision => {
      expect(await clone({ revision })).toMatch(/is not usable/);
    },
  );
});
