import { createApiRef } from '@backstage/frontend-plugin-api';
import type { QueryClient } from '@tanstack/react-query';

/** Creates the query client of a plugin; tests replace it with one that fails at once. */
export const queryClientFactoryApiRef = createApiRef<() => QueryClient>().with({
  id: 'app.query-client-factory',
  pluginId: 'app',
});
