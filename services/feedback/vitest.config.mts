import { nodeProject } from '../../vitest.project.mts';

export default nodeProject('feedback', {
  postgres: true,
});
