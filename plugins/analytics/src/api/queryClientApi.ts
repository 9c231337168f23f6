import { createApiRef } from '@backstage/frontend-plugin-api';
import type { QueryClient } from '@tanstack/react-query';

/**
 * The plugin's one query cache, an API of the app so that pages
 * share it while two apps (or two tests) do not.
 */
export const analyticsQueryClientApiRef = createApiRef<QueryClient>().with({
  id: 'plugin.analytics.query-client',
  pluginId: 'analytics',
});

export { createServiceQueryClient as createAnalyticsQueryClient } from '@slipway/app-react';
