import { createApiRef } from '@backstage/frontend-plugin-api';
import type { QueryClient } from '@tanstack/react-query';

/**
 * The plugin's one query cache, an API of the app so that pages, cards and the
 * entity tab share it while two apps (or two tests) do not.
 */
export const deliveryQueryClientApiRef = createApiRef<QueryClient>().with({
  id: 'plugin.delivery-lake.query-client',
  pluginId: 'delivery-lake',
});

export { createServiceQueryClient as createDeliveryQueryClient } from '@slipway/app-react';
