import { fileURLToPath } from 'node:url';
import path from 'node:path';

/** Absolute path of the repository's root. */
export const repositoryRoot = fileURLToPath(
  new URL('../../../', import.meta.url),
);

/** Where every part of the platform keeps its state in development. */
export const stateDirectory = path.join(repositoryRoot, '.data');

/** Where Node keeps what it compiled: a second start then takes a third less. */
export const compileCacheDirectory = path.join(
  repositoryRoot,
  'node_modules/.cache/node-compile-cache',
);
