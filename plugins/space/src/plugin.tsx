import { createFrontendPlugin } from '@backstage/frontend-plugin-api';

export default createFrontendPlugin({ pluginId: 'space', extensions: [] });
