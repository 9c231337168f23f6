import { existsSync, globSync, readFileSync, watch } from 'node:fs';
import path from 'node:path';

interface PackageManifest {
  name: string;
  backstage?: { role?: string };
  dependencies?: Record<string, string>;
}

/**
 * Returns the absolute directories of a workspace package and the workspace packages that it
 * depends on, except frontends: a backend only serves what they built.
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

/** Pause that ends a burst: editors save in several steps, and a checkout changes many files. */
const SETTLE_MS = 200;
const SOURCE = /\.(tsx?|js|cjs|mjs|json|yaml|css|svg)$/;
const TEST = /\.test\.tsx?$|(^|\/)__/;

interface SourceWatchOptions {
  /** Absolute path of the repository. */
  root: string;
  /** Workspace package to watch, together with its workspace dependencies. */
  packageName: string;
  /** Called once per burst of changes with a changed file, relative to the root. */
  onChange: (file: string) => void;
}

/** A running watch, as returned by {@link watchSources}. */
export interface SourceWatch {
  /** Stops watching; also drops a change that was not reported yet. */
  close: () => void;
}

/** Watches the sources that a process was started from, except tests. */
export function watchSources(options: SourceWatchOptions): SourceWatch {
  const { root, packageName, onChange } = options;
  let timer: NodeJS.Timeout | undefined;
  const watchers = workspaceClosure(root, packageName)
    .flatMap(folder => [
      path.join(folder, 'src'),
      path.join(folder, 'migrations'),
    ])
    .filter(folder => existsSync(folder))
    .map(folder =>
      watch(folder, { recursive: true }, (_event, file) => {
        if (file && SOURCE.test(file) && !TEST.test(file)) {
          clearTimeout(timer);
          const changed = path.relative(root, path.join(folder, file));
          timer = setTimeout(() => onChange(changed), SETTLE_MS);
        }
      }),
    );
  return {
    close: () => {
      clearTimeout(timer);
      watchers.forEach(watcher => watcher.close());
    },
  };
}
