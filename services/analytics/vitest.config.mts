import { nodeProject } from '../../vitest.project.mts';

export default nodeProject('analytics', {
  postgres: true,
  globalSetup: ['./src/__testUtils__/clickhouseSetup.ts'],
});
