import { nodeProject } from '../../vitest.project.mts';

export default nodeProject('portal-kit', {
  postgres: true,
});
