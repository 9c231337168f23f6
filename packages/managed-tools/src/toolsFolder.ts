import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** The places in which {@link findToolsFolder} looks. */
export interface ToolsFolderOptions {
  /** Explicit folder, e.g. from configuration; wins over everything. */
  configured?: string;
  /** The folder at which the walk to the workspace root starts; defaults to the current one. */
  from?: string;
  env?: NodeJS.ProcessEnv;
}

/**
 * Finds the managed folder: the configured one, else `SLIPWAY_TOOLS_DIR`, else
 * `.tools` in the nearest folder above whose package.json declares workspaces,
 * else `.tools` in the current folder.
 */
export function findToolsFolder(options: ToolsFolderOptions = {}): string {
  const { configured, from = process.cwd(), env = process.env } = options;
  if (configured) {
    return path.resolve(configured);
  }
  if (env.SLIPWAY_TOOLS_DIR) {
    return path.resolve(env.SLIPWAY_TOOLS_DIR);
  }
  let folder = path.resolve(from);
  for (;;) {
    if (declaresWorkspaces(path.join(folder, 'package.json'))) {
      return path.join(folder, '.tools');
    }
    const parent = path.dirname(folder);
    if (parent === folder) {
      return path.resolve(from, '.tools');
    }
    folder = parent;
  }
}

function declaresWorkspaces(file: string): boolean {
  if (!existsSync(file)) {
    return false;
  }
  const manifest: unknown = JSON.parse(readFileSync(file, 'utf8'));
  return (
    typeof manifest === 'object' &&
    manifest !== null &&
    'workspaces' in manifest
  );
}
