import { pageTests } from '@slipway/test-pages/vitest';

export default pageTests('ide-launcher');
