import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

interface PackageManifest {
  name: string;
  backstage?: { role?: string };
  dependencies?: Record<string, string>;
}

/**
 * Absolute folders of a workspace package and of the workspace packages that it
 * depends on. A front end among these is left out: a back end only serves what it built.
 */
export function workspaceClosure(root: string, packageName: string): string[] {
  const packages = readWorkspaces(root);
  const found = new Map<string, string>();
  const visit = (name: string): void => {
    const entry = packages.get(name);
    if (
      !entry ||
      found.has(name) ||
      (name !== packageName && entry.manifest.backstage?.role === 'frontend')
    ) {
      return;
    }
    found.set(name, entry.folder);
    Object.keys(entry.manifest.dependencies ?? {}).forEach(visit);
  };
  visit(packageName);
  return [...found.values()];
}

function readWorkspaces(root: string) {
  const { workspaces = [] } = readJson<{ workspaces?: string[] }>(
    path.join(root, 'package.json'),
  );
  const manifests = globSync(
    workspaces.map(pattern => `${pattern}/package.json`),
    { cwd: root },
  );
  return new Map(
    manifests.map(file => {
      const manifest = readJson<PackageManifest>(path.join(root, file));
      const folder = path.join(root, path.dirname(file));
      return [manifest.name, { manifest, folder }] as const;
    }),
  );
}

function readJson<T>(file: string): T {
  return JSON.parse(readFileSync(file, 'utf8')) as T;
}
