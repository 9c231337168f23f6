import { defineConfig } from 'vitest/config';
import { tolerance } from '../../packages/dev-runner/src/patience.ts';

export default defineConfig({
  test: {
    name: 'design-site',
    globals: true,
    environment: 'jsdom',
    isolate: false,
    setupFiles: ['@testing-library/jest-dom/vitest'],
    ...tolerance,
  },
});
