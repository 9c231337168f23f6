import { mkdir, mkdtemp, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { ManagedTool } from './ManagedTool.ts';
import { currentPlatform } from './manifest.ts';
import { runCommand } from './runCommand.ts';
import { ToolInstallError } from './ToolInstallError.ts';

const GIBIBYTE = 1024 ** 3;

/**
 * Checks that the tool supports this machine and fits on the disk, before anything is downloaded. Creates
 * the managed directory.
 *
 * @throws ToolInstallError naming what is missing.
 */
export async function checkRequirements(
  tool: ManagedTool,
  toolsFolder: string,
): Promise<void> {
  if (!tool.platforms.includes(currentPlatform)) {
    throw new ToolInstallError(
      'unsupported-platform',
      `${tool.title} does not run on ${currentPlatform}`,
    );
  }
  const nodeMajor = Number(process.versions.node.split('.')[0]);
  if (tool.nodeMajor !== null && tool.nodeMajor !== nodeMajor) {
    throw new ToolInstallError(
      'unsupported-platform',
      `${tool.title} needs Node.js ${tool.nodeMajor}, and this is ${process.version}`,
    );
  }
  try {
    await mkdir(toolsFolder, { recursive: true });
  } catch (error) {
    throw new ToolInstallError(
      'no-permission',
      `The folder for managed tools could not be created: ${toolsFolder}`,
      error,
    );
  }
  const { bavail, bsize } = await statfs(toolsFolder);
  if (bavail * bsize < tool.requiredBytes) {
    throw new ToolInstallError(
      'disk-full',
      `${tool.title} needs ${(tool.requiredBytes / GIBIBYTE).toFixed(
        1,
      )} GiB of free disk space, and ${((bavail * bsize) / GIBIBYTE).toFixed(
        1,
      )} GiB are left`,
    );
  }
}

const VERIFY_TIMEOUT_MS = 60_000;

/**
 * Runs the installed program once and checks the version that it prints.
 *
 * @throws ToolInstallError if it does not start or has another version.
 */
export async function verifyVersion(
  tool: ManagedTool,
  folder: string,
  signal: AbortSignal,
): Promise<void> {
  // A temporary home directory, because programs write default configuration on their first run.
  const home = await mkdtemp(path.join(tmpdir(), 'slipway-verify-'));
  try {
    const result = await runCommand({
      command: process.execPath,
      args: [path.join(folder, tool.entryPoint), ...tool.versionArguments],
      cwd: home,
      env: { PATH: process.env.PATH, HOME: home },
      signal,
      timeoutMs: VERIFY_TIMEOUT_MS,
    });
    if (result.code !== 0 || !result.stdout.includes(tool.version)) {
      throw new ToolInstallError(
        'failed',
        `${tool.title} was installed and does not start: ${
          result.stderr.split('\n')[0] || 'it did not print its version'
        }`,
      );
    }
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}
