import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { tolerance } from '../dev-runner/src/patience.ts';
import { setupFile } from '../../vitest.project.mts';

/**
 * All tests that render pages, as one project: its files share a few processes, which load the
 * modules of all pages once.
 */
export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  plugins: [
    {
      // Backstage's components add their style sheets to the document. No test depends on them, and
      // jsdom would take 1.4 s of CPU time per process to parse them.
      name: 'no-style-sheets',
      load: id =>
        id.endsWith('/style-inject/dist/style-inject.es.esm.js')
          ? 'export default () => undefined;'
          : undefined,
    },
  ],
  test: {
    name: 'pages',
    globals: true,
    include: [
      // A build in progress contains copies of the tests next to src.
      'packages/{app,app-react,design-system}/src/**/*.test.{ts,tsx}',
      'plugins/*/src/**/*.test.{ts,tsx}',
    ],
    exclude: ['plugins/*-{backend,common}/**', 'plugins/*-module-*/**'],
    isolate: false,
    environment: 'jsdom',
    css: false,
    setupFiles: [
      setupFile,
      fileURLToPath(new URL('./src/setupTests.ts', import.meta.url)),
    ],
    ...tolerance,
    server: {
      deps: {
        // These packages import CSS and directories, which Node.js cannot.
        inline: [
          /@backstage\//,
          /@material-ui\//,
          /@mui\//,
          /material-ui-popup-state/,
        ],
      },
    },
  },
});
