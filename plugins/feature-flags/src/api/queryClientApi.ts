import { createApiRef } from '@backstage/frontend-plugin-api';
import type { QueryClient } from '@tanstack/react-query';

/**
 * The plugin's one query cache, an API of the app so that pages and
 * commands share it while two apps (or two tests) do not.
 */
export const flagsQueryClientApiRef = createApiRef<QueryClient>().with({
  id: 'plugin.feature-flags.query-client',
  pluginId: 'feature-flags',
});

export { createServiceQueryClient as createFlagsQueryClient } from '@slipway/app-react';
