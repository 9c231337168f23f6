import { nodeProject } from '../../vitest.project.mts';

export default nodeProject('delivery-lake-common');
