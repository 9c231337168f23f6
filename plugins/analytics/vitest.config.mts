import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    name: 'plugin-analytics',
    globals: true,
    environment: 'jsdom',
    css: false,
    setupFiles: ['./src/setupTests.ts'],
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
  },
});
