import { fileURLToPath } from 'node:url';
import { defineProject } from 'vitest/config';
import { tolerance } from './packages/dev-runner/src/patience.ts';

/** The setup file of all projects. */
export const setupFile = fileURLToPath(
  new URL('./vitest.setup.mts', import.meta.url),
);

/**
 * Returns the Vitest configuration of a package whose tests run in Node.js. Its files share worker
 * processes and their modules: to load them for each file would take most of the time.
 *
 * @param options.postgres - true for tests that use PostgreSQL, which is started once per run.
 * @param options.globalSetup - other modules that prepare a run.
 */
export function nodeProject(
  name: string,
  {
    postgres = false,
    globalSetup = [],
  }: { postgres?: boolean; globalSetup?: string[] } = {},
) {
  return defineProject({
    test: {
      name,
      globals: true,
      environment: 'node',
      setupFiles: [setupFile],
      isolate: false,
      globalSetup: [
        ...(postgres ? ['@slipway/test-postgres/globalSetup'] : []),
        ...globalSetup,
      ],
      ...tolerance,
    },
  });
}
