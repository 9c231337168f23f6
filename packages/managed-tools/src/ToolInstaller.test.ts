import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { InstallProgress, ManagedTool } from './ManagedTool.ts';
import { currentPlatform } from './manifest.ts';
import { downloadStep } from './npmSteps.ts';
import { ToolInstaller } from './ToolInstaller.ts';

const FAKE_NPM = fileURLToPath(
  new URL('./__fixtures__/fakeNpm.mjs', import.meta.url),
);
const PIN = {
  name: 'demo',
  version: '1.2.3',
  integrity: `sha512-${createHash('sha512')
    .update('tarball')
    .digest('base64')}`,
};

function makeTool(overrides: Partial<ManagedTool> = {}): ManagedTool {
  return {
    name: 'demo',
    title: 'Demo',
    version: '1.2.3',
    platforms: [currentPlatform],
    nodeMajor: null,
    requiredBytes: 1,
    entryPoint: 'tool.mjs',
    versionArguments: [],
    steps: [
      downloadStep(PIN, 1),
      {
        id: 'unpack',
        title: 'Unpacking demo',
        weight: 1,
        run: async ({ folder, npm }) => {
          await npm(['install'], { cwd: folder, expectedFetches: 4 });
        },
      },
    ],
    ...overrides,
  };
}

/** A process in another container. */
const ELSEWHERE = { startTime: '1', namespace: 'another boot pid:[1]' };

describe('ToolInstaller', () => {
  let toolsFolder: string;
  let installer: ToolInstaller;

  beforeEach(() => {
    toolsFolder = mkdtempSync(path.join(tmpdir(), 'tools-'));
    process.env.FAKE_NPM_LOG = path.join(toolsFolder, 'npm.txt');
    installer = new ToolInstaller({ toolsFolder, npmCommand: FAKE_NPM });
  });

  afterEach(() => {
    delete process.env.FAKE_NPM;
    delete process.env.FAKE_NPM_LOG;
    rmSync(toolsFolder, { recursive: true, force: true });
  });

  function npmCalls(): string[] {
    const file = path.join(toolsFolder, 'npm.txt');
    return existsSync(file)
      ? readFileSync(file, 'utf8')
          .trim()
          .split('\n')
          .map(line => line.split(' ')[0])
      : [];
  }

  it('installs in steps, verifies, and reports progress', async () => {
    const progress: InstallProgress[] = [];
    const tool = await installer.install(makeTool(), {
      onProgress: step => progress.push(step),
    });

    expect(tool.entryPoint).toBe(path.join(toolsFolder, 'demo/1.2.3/tool.mjs'));
    expect(installer.find(makeTool())).toEqual(tool);
    expect(progress.map(({ fraction }) => fraction)).toEqual([
      0, 0.5, 0.625, 0.75, 1,
    ]);
    expect(existsSync(path.join(toolsFolder, 'demo/.lock'))).toBe(false);
  });

  it('never runs package scripts', async () => {
    await installer.install(makeTool());
    const calls = readFileSync(path.join(toolsFolder, 'npm.txt'), 'utf8');
    expect(calls.trim().split('\n')).toHaveLength(2);
    expect(calls.match(/--ignore-scripts/g)).toHaveLength(2);
  });

  it('does nothing if the tool is installed', async () => {
    await installer.install(makeTool());
    await installer.install(makeTool());
    expect(npmCalls()).toEqual(['pack', 'install']);
  });

  it('resumes with the failed step', async () => {
    const failing = makeTool();
    const [download, unpack] = failing.steps;
    const broken = {
      ...unpack,
      run: async () => {
        throw new Error('cut short');
      },
    };
    await expect(
      installer.install({ ...failing, steps: [download, broken] }),
    ).rejects.toThrow('cut short');
    await installer.install(failing);

    expect(npmCalls()).toEqual(['pack', 'install']);
  });

  it('rejects a download that does not match its checksum', async () => {
    const other = { ...PIN, integrity: 'sha512-b3RoZXI=' };
    await expect(
      installer.install(makeTool({ steps: [downloadStep(other, 1)] })),
    ).rejects.toMatchObject({ failure: 'integrity' });
    expect(installer.find(makeTool())).toBeUndefined();
  });

  it('rejects a program that prints another version', async () => {
    await expect(
      installer.install(makeTool({ version: '9.9.9' })),
    ).rejects.toThrow('Demo was installed and does not start');
  });

  it.each([
    [
      'offline',
      'Downloading demo 1.2.3 failed: the npm registry could not be reached',
    ],
    ['full', 'Downloading demo 1.2.3 failed: the disk is full'],
    [
      'missing',
      'Downloading demo 1.2.3 failed: the npm registry does not have a package it needs',
    ],
  ])('reports the cause if npm is %s', async (wish, message) => {
    process.env.FAKE_NPM = wish;
    await expect(installer.install(makeTool())).rejects.toThrow(message);
  });

  it('reports that npm is missing', async () => {
    const without = new ToolInstaller({
      toolsFolder,
      npmCommand: 'no-such-npm',
    });
    await expect(without.install(makeTool())).rejects.toMatchObject({
      failure: 'npm-missing',
    });
  });

  it('rejects unsupported platforms and full disks before any download', async () => {
    await expect(
      installer.install(makeTool({ platforms: ['plan9-mips'] })),
    ).rejects.toThrow(`Demo does not run on ${currentPlatform}`);
    await expect(
      installer.install(makeTool({ requiredBytes: Number.MAX_SAFE_INTEGER })),
    ).rejects.toMatchObject({ failure: 'disk-full' });
    expect(npmCalls()).toEqual([]);
  });

  it('ends npm when it is cancelled', async () => {
    process.env.FAKE_NPM = 'hang';
    await expect(
      installer.install(makeTool(), { signal: AbortSignal.timeout(500) }),
    ).rejects.toMatchObject({ failure: 'aborted' });
    expect(existsSync(path.join(toolsFolder, 'demo/.lock'))).toBe(false);
  });

  it('installs once for two concurrent calls', async () => {
    const messages: string[] = [];
    const onProgress = ({ message }: InstallProgress) => messages.push(message);
    const other = new ToolInstaller({ toolsFolder, npmCommand: FAKE_NPM });
    await Promise.all([
      installer.install(makeTool(), { onProgress }),
      other.install(makeTool(), { onProgress }),
    ]);
    expect(npmCalls()).toEqual(['pack', 'install']);
    expect(messages).toContain(
      'Waiting for another process that installs Demo',
    );
  });

  it('takes over the lock of a dead owner', async () => {
    const { pid } = spawnSync(process.execPath, ['--version']);
    mkdirSync(path.join(toolsFolder, 'demo'));
    writeFileSync(
      path.join(toolsFolder, 'demo/.lock'),
      JSON.stringify({ pid, group: null }),
    );
    await installer.install(makeTool());
    expect(npmCalls()).toEqual(['pack', 'install']);
  });

  // Happens after a container restart: the lock has the same pid.
  it.each([
    ['of the same place, that started earlier', {}, 0],
    ['of another container, not heard of for a minute', ELSEWHERE, 60_000],
  ])('takes over the lock of a process %s', async (_, identity, silentMs) => {
    const lock = path.join(toolsFolder, 'demo/.lock');
    mkdirSync(path.dirname(lock));
    const owner = { pid: process.pid, startTime: '1', group: null };
    writeFileSync(lock, JSON.stringify({ ...owner, ...identity }));
    const touched = new Date(Date.now() - silentMs);
    utimesSync(lock, touched, touched);
    await installer.install(makeTool());
    expect(npmCalls()).toEqual(['pack', 'install']);
  });

  it('waits for an owner in another container, as its pid cannot be checked', async () => {
    const lock = path.join(toolsFolder, 'demo/.lock');
    mkdirSync(path.dirname(lock));
    const { pid } = spawnSync(process.execPath, ['--version']);
    writeFileSync(lock, JSON.stringify({ pid, group: null, ...ELSEWHERE }));
    await expect(
      installer.install(makeTool(), { signal: AbortSignal.timeout(1_000) }),
    ).rejects.toMatchObject({ failure: 'aborted' });
    expect(npmCalls()).toEqual([]);
  });
});
