import { Query, QueryCache, QueryClient } from '@tanstack/react-query';
import { isTransient } from '../failures/failedCall';

/** Retry interval for a service that is not responding, in milliseconds. */
const AGAIN_MS = 5_000;

/**
 * A failure that took this many milliseconds is shown immediately: the user has waited long enough.
 */
const PATIENCE_MS = 10_000;

/**
 * Creates a query client for the pages of a service. It retries transient errors, but not errors
 * that the user has to fix. During an outage, pages show the error without flickering and recover
 * automatically.
 */
export function createServiceQueryClient(): QueryClient {
  const queryCache = new QueryCache();
  keepErrors(queryCache);
  return new QueryClient({
    queryCache,
    defaultOptions: {
      queries: {
        staleTime: 30_000,
        retry: (failures, error) => failures < 2 && isTransient(error),
        refetchInterval: ({ state }) =>
          isTransient(state.error) ? AGAIN_MS : false,
      },
    },
  });
}

/**
 * Keeps the error of a query until there is another response. Without data, a refetch would clear
 * the error, and the page would show its loading state every few seconds. An error that the user
 * has to fix is kept only while the query is on screen: it may be fixed when the page is opened
 * again. Also reports an error before all retries have failed, which would take too long if a
 * service accepts requests but does not respond.
 */
function keepErrors(cache: QueryCache): void {
  const errors = new WeakMap<Query, Error>();
  const startedAt = new WeakMap<Query, number>();
  cache.subscribe(event => {
    const { query } = event;
    if (event.type === 'observerRemoved' && !query.isActive()) {
      if (!isTransient(errors.get(query))) {
        errors.delete(query);
      }
      return;
    }
    if (event.type !== 'updated') {
      return;
    }
    const { action } = event;
    if (action.type === 'error') {
      if (query.isActive() || isTransient(action.error)) {
        errors.set(query, action.error);
      }
    } else if (action.type === 'success') {
      errors.delete(query);
    } else if (action.type === 'failed' && isTransient(action.error)) {
      const waited = Date.now() - (startedAt.get(query) ?? Infinity);
      if (waited >= PATIENCE_MS && query.state.data === undefined) {
        errors.set(query, action.error);
        query.setState({ error: action.error, status: 'error' });
      }
    } else if (action.type === 'fetch') {
      startedAt.set(query, Date.now());
      const error = errors.get(query);
      if (error && query.state.data === undefined) {
        query.setState({ error, status: 'error' });
      }
    }
  });
}
