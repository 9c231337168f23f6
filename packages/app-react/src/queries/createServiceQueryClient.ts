import { ResponseError } from '@backstage/errors';
import { Query, QueryCache, QueryClient } from '@tanstack/react-query';

/** How often a service that did not answer is asked again, in milliseconds. */
const AGAIN_MS = 5_000;

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
 * it loads every few seconds: it keeps the error until there is another answer.
 */
function keepOutages(cache: QueryCache): void {
  const outages = new WeakMap<Query, Error>();
  cache.subscribe(event => {
    if (event.type !== 'updated') {
      return;
    }
    const { query, action } = event;
    if (action.type === 'error' && isTransient(action.error)) {
      outages.set(query, action.error);
    } else if (action.type === 'error' || action.type === 'success') {
      outages.delete(query);
    } else if (action.type === 'fetch' && query.state.data === undefined) {
      const error = outages.get(query);
      if (error) {
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
