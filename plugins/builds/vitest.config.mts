import { pageTests } from '@slipway/test-pages/vitest';

export default pageTests('builds');
