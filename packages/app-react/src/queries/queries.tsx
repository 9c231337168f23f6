import type { ReactNode } from 'react';
import { type ApiRef, useApi } from '@backstage/frontend-plugin-api';
import {
  type QueryKey,
  type UseQueryOptions,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { DataTable, type DataTableProps } from '@slipway/design-system';
import { ReadFailure, isMissing } from '../failures/failures';

/**
 * Reads something by the client of a plugin.
 *
 * @param queryKey - what is read, with everything that it depends on.
 * @param options - how long an answer holds, when to ask again, and the like.
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

/**
 * Changes something by the client of a plugin. Whatever its pages read before may have changed
 * with it, and is read again, also after a failure: what was shown may no longer hold.
 */
export function useServiceChange<A, I, O>(
  apiRef: ApiRef<A>,
  change: (api: A, input: I) => Promise<O>,
) {
  const api = useApi(apiRef);
  const client = useQueryClient();
  return useMutation({
    mutationFn: (input: I) => change(api, input),
    onSuccess: () => client.invalidateQueries(),
    // Not waited for: the failure is told at once.
    onError: () => void client.invalidateQueries(),
  });
}

/** The part of a query that {@link Loaded} shows. */
export interface LoadableQuery<T> {
  data: T | undefined;
  error: unknown;
  refetch(): unknown;
}

/**
 * Shows what a query reads once it is there: before that skeletons, or the failure with
 * a button that tries again. What was read stays while a later read fails.
 */
export function Loaded<T>(props: {
  query: LoadableQuery<T>;
  /** What did not work, e.g. "Couldn't load builds". */
  failed: string;
  /** Skeletons in the layout that the content will have. */
  loading: ReactNode;
  /** Stands in place of what is not there (404); the failure when left out. */
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
 * The list of what a query reads, in whatever state it is: a DataTable with skeletons, and
 * with the failure and a button that tries again where there is nothing to show.
 */
export function QueryTable<D, T extends object>(
  props: Omit<DataTableProps<T>, 'rows' | 'failure'> & {
    query: LoadableQuery<D>;
    /** The rows of what was read. */
    rowsOf(data: D): readonly T[];
    /** What did not work, e.g. "Couldn't load builds". */
    failed: string;
  },
) {
  const { query, rowsOf, failed, ...table } = props;
  const { data, error, refetch } = query;
  return (
    <DataTable
      {...table}
      rows={data === undefined ? undefined : rowsOf(data)}
      failure={
        error ? (
          <ReadFailure title={failed} error={error} onRetry={() => refetch()} />
        ) : undefined
      }
    />
  );
}
