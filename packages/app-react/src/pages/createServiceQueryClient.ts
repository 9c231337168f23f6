import { ResponseError } from '@backstage/errors';
import { Query, QueryCache, QueryClient } from '@tanstack/react-query';

/** How often a service that did not answer is asked again, in milliseconds. */
const AGAIN_MS = 5_000;

/** A failure that took so many milliseconds is told at once: readers have waited enough. */
const PATIENCE_MS = 10_000;

/**
 * A query cache for the pages of a service. It tries again what may pass by itself, and
 * nothing that the reader has to change. While a service is gone the pages say so without
 * a flicker, and come back by themselves.
 */
export function createServiceQueryClient(): QueryClient {
  const queryCache = new QueryCache();
  keepOutages(queryCache);
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
 * A query without data forgets its error when it asks again, and its page would show that
 * it loads every few seconds: it keeps the error until there is another answer. Nor does it
 * tell of an error before it has tried as often as it may, which is too late where a service
 * takes questions and does not answer them.
 */
function keepOutages(cache: QueryCache): void {
  const outages = new WeakMap<Query, Error>();
  const startedAt = new WeakMap<Query, number>();
  cache.subscribe(event => {
    if (event.type !== 'updated') {
      return;
    }
    const { query, action } = event;
    if (action.type === 'error' && isTransient(action.error)) {
      outages.set(query, action.error);
    } else if (action.type === 'error' || action.type === 'success') {
      outages.delete(query);
    } else if (action.type === 'failed' && isTransient(action.error)) {
      const waited = Date.now() - (startedAt.get(query) ?? Infinity);
      if (waited >= PATIENCE_MS && query.state.data === undefined) {
        outages.set(query, action.error);
        query.setState({ error: action.error, status: 'error' });
      }
    } else if (action.type === 'fetch') {
      startedAt.set(query, Date.now());
      const error = outages.get(query);
      if (error && query.state.data === undefined) {
        query.setState({ error, status: 'error' });
      }
    }
  });
}

function isTransient(error: unknown): boolean {
  if (error instanceof ResponseError) {
    return [502, 503, 504].includes(error.response.status);
  }
  // What fetch throws when no answer came.
  return error instanceof TypeError;
}
