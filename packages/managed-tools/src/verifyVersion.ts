import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { ManagedTool } from './ManagedTool.ts';
import { runCommand } from './runCommand.ts';
import { ToolInstallError } from './ToolInstallError.ts';

const VERIFY_TIMEOUT_MS = 60_000;

/**
 * Runs the installed program once and compares the version it prints.
 *
 * @throws ToolInstallError when it does not start or is another version.
 */
export async function verifyVersion(
  tool: ManagedTool,
  folder: string,
  signal: AbortSignal,
): Promise<void> {
  // A home of its own: programs write default configuration on their first run.
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
