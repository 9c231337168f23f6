import { nodeProject } from '../../vitest.project.mts';

export default nodeProject('ide-launcher-common');
