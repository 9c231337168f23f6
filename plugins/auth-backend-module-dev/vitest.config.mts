import { nodeProject } from '../../vitest.project.mts';

export default nodeProject('auth-backend-module-dev');
