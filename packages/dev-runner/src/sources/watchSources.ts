import { existsSync, watch } from 'node:fs';
import path from 'node:path';
import { workspaceClosure } from './workspaceClosure.ts';

/** Editors save in several steps, and a checkout changes many files at once. */
const SETTLE_MS = 200;
const SOURCE = /\.(tsx?|js|cjs|mjs|json|yaml|css|svg)$/;
const TEST = /\.test\.tsx?$|(^|\/)__/;

export interface SourceWatchOptions {
  /** Absolute path of the repository. */
  root: string;
  /** Workspace package to watch together with those that it depends on. */
  packageName: string;
  /** Called once per burst of changes with a changed file, relative to the root. */
  onChange: (file: string) => void;
}

export interface SourceWatch {
  /** Also forgets a change that was not told yet. */
  close: () => void;
}

/** Watches the sources that a process was started from, tests left out. */
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
