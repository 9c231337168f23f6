import { fileURLToPath } from 'node:url';
import type { TestProjectInlineConfiguration } from 'vitest/config';
import { tolerance } from './packages/dev-runner/src/patience.ts';

/** The setup file of all projects. */
export const setupFile = fileURLToPath(
  new URL('./vitest.setup.mts', import.meta.url),
);

const runner = fileURLToPath(new URL('./vitest.runner.mts', import.meta.url));

/**
 * Creates a Vitest project for packages whose tests run in Node.js. Its test files share worker
 * processes and the modules loaded there: loading modules for each file, or for each package, would
 * take most of the time.
 *
 * @param options.native - true to let Node.js load the sources itself, as in production, instead of
 *   Vite; tests then cannot replace modules (`vi.mock`).
 * @param options.globalSetup - modules that prepare a run, e.g. start servers.
 */
export function nodeProject(
  name: string,
  {
    native = false,
    ...files
  }: {
    include: string[];
    exclude?: string[];
    native?: boolean;
    globalSetup?: string[];
  },
): TestProjectInlineConfiguration {
  return {
    test: {
      name,
      globals: true,
      environment: 'node',
      setupFiles: [setupFile],
      isolate: false,
      ...(native && {
        experimental: { viteModuleRunner: false, nodeLoader: false },
        runner,
      }),
      ...files,
      ...tolerance,
    },
  };
}
