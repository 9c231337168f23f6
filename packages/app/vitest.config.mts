import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    name: 'app',
    globals: true,
    environment: 'jsdom',
    // A build under way holds copies of the tests beside src.
    include: ['src/**/*.test.{ts,tsx}'],
    css: false,
    setupFiles: ['./src/setupTests.ts'],
    testTimeout: 90_000,
    hookTimeout: 90_000,
    server: {
      // These ship directory imports and CSS that Node cannot load by itself.
      deps: {
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
