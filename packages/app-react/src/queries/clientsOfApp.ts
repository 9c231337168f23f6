import type { ApiHolder } from '@backstage/frontend-plugin-api';
import type { QueryClient } from '@tanstack/react-query';
import { createServiceQueryClient } from '../pages/createServiceQueryClient';
import { queryClientFactoryApiRef } from '../pages/queryClientFactory';

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

/** Refetches everything that pages of any plugin show: an action elsewhere may have changed it. */
export function reloadAll(app: ApiHolder): void {
  for (const client of clients.get(app)?.values() ?? []) {
    client.invalidateQueries();
  }
}
