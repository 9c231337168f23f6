import { nodeProject } from '../../vitest.project.mts';

export default nodeProject('catalog-backend-module-contract', {
  postgres: true,
});
