import { fileURLToPath } from 'node:url';
import path from 'node:path';

/** Absolute path of the repository's root. */
export const repositoryRoot = fileURLToPath(
  new URL('../../../', import.meta.url),
);

/** The directory in which every part of the platform keeps its development state. */
export const stateDirectory = path.join(repositoryRoot, '.data');

/** The directory of Node's compile cache, which makes a second start a third faster. */
export const compileCacheDirectory = path.join(
  repositoryRoot,
  'node_modules/.cache/node-compile-cache',
);
