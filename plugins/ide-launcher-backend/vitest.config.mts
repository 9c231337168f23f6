import { nodeProject } from '../../vitest.project.mts';

export default nodeProject('ide-launcher-backend', {
  postgres: true,
});
