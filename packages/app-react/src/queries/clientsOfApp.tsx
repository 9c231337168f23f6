import type { PropsWithChildren } from 'react';
import {
  type ApiHolder,
  createApiRef,
  useApiHolder,
} from '@backstage/frontend-plugin-api';
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createServiceQueryClient } from './createServiceQueryClient';

/** Creates the query client of a plugin; tests replace it with one that does not retry. */
export const queryClientFactoryApiRef = createApiRef<() => QueryClient>().with({
  id: 'app.query-client-factory',
  pluginId: 'app',
});

// Keyed by app, so that two apps, or two tests, share nothing.
const clients = new WeakMap<ApiHolder, Map<object, QueryClient>>();

/** Returns the query client of a plugin or of the app itself; creates it on first use. */
export function clientOf(app: ApiHolder, owner: object): QueryClient {
  const own = clients.get(app) ?? new Map<object, QueryClient>();
  clients.set(app, own);
  const client =
    own.get(owner) ??
    (app.get(queryClientFactoryApiRef) ?? createServiceQueryClient)();
  own.set(owner, client);
  return client;
}

/**
 * Refetches everything that pages of any plugin show: an action elsewhere may have changed it.
 *
 * @param except - the client of the plugin that acted, if it refetches its data itself.
 */
export function reloadAll(app: ApiHolder, except?: QueryClient): void {
  for (const client of clients.get(app)?.values() ?? []) {
    if (client !== except) {
      void client.invalidateQueries();
    }
  }
}

const APP = {};

/**
 * Provides the query client of the app itself, which is used for requests to all parts and shares
 * their results.
 */
export function AppQueries({ children }: PropsWithChildren<{}>) {
  return (
    <QueryClientProvider client={clientOf(useApiHolder(), APP)}>
      {children}
    </QueryClientProvider>
  );
}
