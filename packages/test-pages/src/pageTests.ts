import { fileURLToPath } from 'node:url';
import { type ViteUserConfig, defineConfig } from 'vitest/config';

/** The Vitest project of a package whose tests render pages. */
export function pageTests(
  name: string,
  options: NonNullable<ViteUserConfig['test']> = {},
): ViteUserConfig {
  return defineConfig({
    test: {
      name,
      globals: true,
      // Most of a page test's time was the loading of the same modules for each file.
      isolate: false,
      environment: 'jsdom',
      css: false,
      setupFiles: [fileURLToPath(new URL('./setupTests.ts', import.meta.url))],
      testTimeout: 60_000,
      server: {
        deps: {
          // These packages import CSS and directories, which Node itself cannot.
          inline: [
            /@backstage\//,
            /@material-ui\//,
            /@mui\//,
            /material-ui-popup-state/,
          ],
        },
      },
      ...options,
    },
  });
}
