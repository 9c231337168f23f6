import { nodeProject } from '../../vitest.project.mts';

export default nodeProject('space-metrics', {
  postgres: true,
});
