import { mkdir, statfs } from 'node:fs/promises';
import type { ManagedTool } from './ManagedTool.ts';
import { currentPlatform } from './manifest.ts';
import { ToolInstallError } from './ToolInstallError.ts';

const GIBIBYTE = 1024 ** 3;

/**
 * Checks before anything is downloaded that the tool can run here and fits on
 * the disk. Creates the managed folder.
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
