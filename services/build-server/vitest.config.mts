import { nodeProject } from '../../vitest.project.mts';

export default nodeProject('build-server', {
  postgres: true,
});
