import { nodeProject } from '../../vitest.project.mts';

export default nodeProject('service-kit', {
  postgres: true,
});
