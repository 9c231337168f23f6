import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Options of {@link findToolsFolder}. */
export interface ToolsFolderOptions {
  /** Explicit directory, e.g. from the configuration; takes precedence. */
  configured?: string;
  /** The folder in which the search for the workspace root starts; defaults to the current directory. */
  from?: string;
  env?: NodeJS.ProcessEnv;
}

/**
 * Finds the managed directory: the configured one, otherwise `SLIPWAY_TOOLS_DIR`, otherwise
 * `.tools` in the nearest ancestor whose package.json declares workspaces, otherwise `.tools` in
 * the current directory.
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
