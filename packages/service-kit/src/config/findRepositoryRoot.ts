import { readFileSync } from 'node:fs';
import path from 'node:path';

/** The repository that a service runs from. */
export interface Repository {
  /** Absolute path; configuration and relative file names are under it. */
  root: string;
  /** The version of the root package, which every service has. */
  version: string;
}

/**
 * Finds the package with `workspaces` in or above a directory.
 *
 * @throws Error when there is none.
 */
export function findRepositoryRoot(from: string = process.cwd()): Repository {
  for (let directory = path.resolve(from); ;) {
    const manifest = readManifest(path.join(directory, 'package.json'));
    if (manifest?.workspaces) {
      return { root: directory, version: manifest.version ?? '0.0.0' };
    }
    const parent = path.dirname(directory);
    if (parent === directory) {
      throw new Error(`No package.json with workspaces in or above ${from}`);
    }
    directory = parent;
  }
}

function readManifest(
  file: string,
): { workspaces?: unknown; version?: string } | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}
