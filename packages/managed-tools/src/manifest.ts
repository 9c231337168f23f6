import { existsSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { InstalledTool, ManagedTool } from './ManagedTool.ts';

const MANIFEST = 'slipway-tool.json';

/** The current platform in the format of {@link ManagedTool.platforms}. */
export const currentPlatform = `${process.platform}-${process.arch}`;

/**
 * Writes the manifest, which marks the directory as complete and verified, and names its platform.
 */
export async function writeManifest(folder: string, tool: ManagedTool) {
  const manifest = {
    name: tool.name,
    version: tool.version,
    platform: currentPlatform,
    node: process.version,
    installedAt: new Date().toISOString(),
  };
  await writeFile(
    path.join(folder, MANIFEST),
    `${JSON.stringify(manifest, null, 2)}\n`,
  );
}

/**
 * Reads an installed tool; undefined if the directory is missing, incomplete, or was installed for
 * another version or platform.
 */
export function readInstalled(
  folder: string,
  tool: ManagedTool,
): InstalledTool | undefined {
  const entryPoint = path.join(folder, tool.entryPoint);
  let manifest: { version?: unknown; platform?: unknown };
  try {
    manifest = JSON.parse(readFileSync(path.join(folder, MANIFEST), 'utf8'));
  } catch {
    return undefined;
  }
  const fits =
    manifest.version === tool.version &&
    manifest.platform === currentPlatform &&
    existsSync(entryPoint);
  return fits
    ? { name: tool.name, version: tool.version, folder, entryPoint }
    : undefined;
}
