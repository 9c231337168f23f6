import { pageTests } from '@slipway/test-pages/vitest';

export default pageTests('app', {
  // A build under way holds copies of the tests beside src.
  include: ['src/**/*.test.{ts,tsx}'],
  testTimeout: 90_000,
  hookTimeout: 90_000,
});
