import { nodeProject } from '../../vitest.project.mts';

export default nodeProject('feature-flags-backend');
