import { nodeProject } from '../../vitest.project.mts';

export default nodeProject('backend', {
  postgres: true,
});
