import { createApiRef } from '@backstage/frontend-plugin-api';
import type { QueryClient } from '@tanstack/react-query';

/**
 * The plugin's one query cache, an API of the app so that pages, cards and
 * the command share it while two apps (or two tests) do not.
 */
export const spaceQueryClientApiRef = createApiRef<QueryClient>().with({
  id: 'plugin.space.query-client',
  pluginId: 'space',
});

export { createServiceQueryClient as createSpaceQueryClient } from '@slipway/app-react';
