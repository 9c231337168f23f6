import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    name: 'design-system',
    globals: true,
    environment: 'jsdom',
    css: false,
    setupFiles: ['./src/setupTests.ts'],
    testTimeout: 30_000,
    server: {
      // These ship directory imports and CSS that Node cannot load by itself.
      deps: { inline: [/@backstage\//, /@material-ui\//, /@mui\//] },
    },
  },
});
