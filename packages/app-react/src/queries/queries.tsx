import { type ReactNode, useEffect } from 'react';
import {
  type ApiRef,
  useApi,
  useApiHolder,
} from '@backstage/frontend-plugin-api';
import {
  type QueryKey,
  type UseQueryOptions,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { DataTable, type DataTableProps } from '@slipway/design-system';
import { isMissing } from '../failures/failedCall';
import { ReadFailure } from '../failures/failures';
import { keepConnected } from '../http/keepConnected';
import { reloadAll } from './clientsOfApp';

/**
 * Reads data with the client of a plugin.
 *
 * @param queryKey - identifies the data, including everything it depends on.
 * @param options - how long data is fresh, when to refetch, and so on.
 */
export function useServiceQuery<A, T>(
  apiRef: ApiRef<A>,
  queryKey: QueryKey,
  read: (api: A, call: { signal: AbortSignal }) => Promise<T>,
  options?: Omit<UseQueryOptions<T>, 'queryKey' | 'queryFn'>,
) {
  const api = useApi(apiRef);
  return useQuery({
    queryKey,
    queryFn: ({ signal }) => read(api, { signal }),
    ...options,
  });
}

/** Maximum time that a change waits for data to be refetched, in milliseconds. */
const RELOAD_MS = 3_000;

/**
 * Changes data with the client of a plugin. All data on screen is then refetched, even after a
 * failure, as it may be out of date. The change lasts until the data of the plugin is refetched, so
 * that its pages show the result, but not much longer if some of it, such as a chart, is slow.
 *
 * @param options.hasSecret - true if the result is shown only once: the change then ends with the
 *   response, so that the result is not lost if the user leaves while data is refetched.
 */
export function useServiceChange<A, I, O>(
  apiRef: ApiRef<A>,
  change: (api: A, input: I) => Promise<O>,
  options: { hasSecret?: boolean } = {},
) {
  const api = useApi(apiRef);
  const app = useApiHolder();
  const client = useQueryClient();
  const reload = () => {
    reloadAll(app, client);
    return client.invalidateQueries();
  };
  return useMutation({
    mutationFn: (input: I) => change(api, input),
    onSuccess: options.hasSecret
      ? () => void reload()
      : () =>
          Promise.race([
            reload(),
            new Promise(resolve => setTimeout(resolve, RELOAD_MS)),
          ]),
    // Not awaited, so that the failure is shown immediately.
    onError: () => void reload(),
  });
}

/** A state of the data of a service. */
export interface ServiceRevision {
  revision: number;
  /** Milliseconds since the change that made it. */
  ageMs: number;
}

/**
 * Refetches everything whenever a service reports a change, while the component is mounted. A lost
 * connection is reopened, with increasing delays after failures.
 *
 * @param follow - a stable function; calls back with a revision at every change, until it is
 *   aborted or the connection ends.
 */
export function useServiceEvents<A>(
  apiRef: ApiRef<A>,
  follow: (
    api: A,
    call: { signal: AbortSignal; onChange(revision: ServiceRevision): void },
  ) => Promise<void>,
): void {
  const api = useApi(apiRef);
  const client = useQueryClient();
  useEffect(() => {
    const ending = new AbortController();
    const { signal } = ending;
    const openedAt = performance.now();
    let known: number | undefined;
    keepConnected(
      onWorking =>
        follow(api, {
          signal,
          onChange({ revision, ageMs }) {
            onWorking();
            // The first revision describes the state when the page was opened, unless it is newer.
            const isNews =
              known === undefined
                ? ageMs <= performance.now() - openedAt
                : known !== revision;
            if (isNews) {
              void client.invalidateQueries();
            }
            known = revision;
          },
        }),
      signal,
    );
    return () => ending.abort();
  }, [api, client, follow]);
}

/** The part of a query that {@link Loaded} uses. */
export interface LoadableQuery<T> {
  data: T | undefined;
  error: unknown;
  refetch(): unknown;
}

/**
 * Shows the data of a query once it has loaded: until then skeletons, or the failure with a retry
 * button. Existing data stays visible if a refetch fails.
 */
export function Loaded<T>(props: {
  query: LoadableQuery<T>;
  /** Title of a failure, e.g. "Couldn't load builds". */
  failed: string;
  /** Skeletons in the layout of the content. */
  loading: ReactNode;
  /** Shown if the data does not exist (404); defaults to the failure. */
  missing?: ReactNode;
  children(data: T): ReactNode;
}) {
  const { query, failed, loading, missing, children } = props;
  const { data, error, refetch } = query;
  if (data !== undefined) {
    return <>{children(data)}</>;
  }
  if (missing !== undefined && isMissing(error)) {
    return <>{missing}</>;
  }
  return error ? (
    <ReadFailure title={failed} error={error} onRetry={() => refetch()} />
  ) : (
    <>{loading}</>
  );
}

/**
 * A DataTable with the data of a query in any state: with skeletons while loading, and with the
 * failure and a retry button if there is nothing to show.
 */
export function QueryTable<D, T extends object>(
  props: Omit<DataTableProps<T>, 'rows' | 'failure'> & {
    query: LoadableQuery<D>;
    /** Returns the rows of the data. */
    rowsOf(data: D): readonly T[];
    /** Title of a failure, e.g. "Couldn't load builds". */
    failed: string;
    /** True if a failed refetch is shown above the rows, which may be out of date. */
    tellsOutdated?: boolean;
  },
) {
  const { query, rowsOf, failed, tellsOutdated = false, ...table } = props;
  const { data, error, refetch } = query;
  const failure = error ? (
    <ReadFailure title={failed} error={error} onRetry={() => refetch()} />
  ) : undefined;
  return (
    <>
      {tellsOutdated && data !== undefined && failure}
      <DataTable
        {...table}
        rows={data === undefined ? undefined : rowsOf(data)}
        failure={failure}
      />
    </>
  );
}
