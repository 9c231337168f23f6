import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: { name: 'app-react', globals: true, environment: 'node' },
});
