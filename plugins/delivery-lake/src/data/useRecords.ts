import { useApi } from '@backstage/frontend-plugin-api';
import {
  keepPreviousData,
  useInfiniteQuery,
  useQuery,
} from '@tanstack/react-query';
import {
  type DeploymentsQuery,
  type IncidentsQuery,
  deliveryLakeApiRef,
} from '../api/DeliveryLakeApi';

/** Rows that come at once; as many as fit a large screen. */
const PAGE_SIZE = 50;

/** Deployments that match, newest first, page by page. */
export function useDeployments(
  query: DeploymentsQuery,
  options: { pageSize?: number } = {},
) {
  const api = useApi(deliveryLakeApiRef);
  const limit = options.pageSize ?? PAGE_SIZE;
  return useInfiniteQuery({
    queryKey: ['deployments', query, limit],
    queryFn: ({ pageParam: cursor, signal }) =>
      api.listDeployments({ ...query, cursor, limit }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: page => page.nextCursor ?? undefined,
    placeholderData: keepPreviousData,
  });
}

/** One deployment with what it brought. */
export function useDeployment(id: string) {
  const api = useApi(deliveryLakeApiRef);
  return useQuery({
    queryKey: ['deployment', id],
    queryFn: ({ signal }) => api.getDeployment(id, { signal }),
  });
}

/** Incidents that match, newest first, page by page. */
export function useIncidents(
  query: IncidentsQuery,
  options: { pageSize?: number } = {},
) {
  const api = useApi(deliveryLakeApiRef);
  const limit = options.pageSize ?? PAGE_SIZE;
  return useInfiniteQuery({
    queryKey: ['incidents', query, limit],
    queryFn: ({ pageParam: cursor, signal }) =>
      api.listIncidents({ ...query, cursor, limit }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: page => page.nextCursor ?? undefined,
    placeholderData: keepPreviousData,
  });
}
