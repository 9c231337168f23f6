import { useApi } from '@backstage/frontend-plugin-api';
import type {
  BreakdownResponse,
  SeriesInterval,
} from '@slipway/plugin-delivery-lake-common';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type LakeQuery, deliveryLakeApiRef } from '../api/DeliveryLakeApi';

/** How soon a page that waits for the first deployment sees it. */
const WHILE_EMPTY_MS = 4_000;
/** How soon a page offers a service that was named since. */
const SCOPES_EVERY_MS = 60_000;

/** What the lake holds; asked again and again while it holds no deployment. */
export function useLakeStatus() {
  const api = useApi(deliveryLakeApiRef);
  return useQuery({
    queryKey: ['status'],
    queryFn: ({ signal }) => api.getStatus({ signal }),
    refetchInterval: query =>
      query.state.data?.deployments === 0 ? WHILE_EMPTY_MS : false,
  });
}

/** The teams, projects and services that a page can be narrowed to. */
export function useScopes() {
  const api = useApi(deliveryLakeApiRef);
  const { data: status } = useLakeStatus();
  return useQuery({
    // An empty lake has none; the first events bring them.
    queryKey: ['scopes', status?.deployments === 0],
    queryFn: ({ signal }) => api.getScopes({ signal }),
    staleTime: SCOPES_EVERY_MS,
    refetchInterval: SCOPES_EVERY_MS,
  });
}

/** The metrics of a part of the lake. */
export function useMetrics(query: LakeQuery) {
  const api = useApi(deliveryLakeApiRef);
  return useQuery({
    queryKey: ['metrics', query],
    queryFn: ({ signal }) => api.getMetrics(query, { signal }),
    placeholderData: keepPreviousData,
  });
}

/** The same by day, week or month. */
export function useSeries(query: LakeQuery, interval: SeriesInterval) {
  const api = useApi(deliveryLakeApiRef);
  return useQuery({
    queryKey: ['series', query, interval],
    queryFn: ({ signal }) => api.getSeries({ ...query, interval }, { signal }),
    placeholderData: keepPreviousData,
  });
}

/** The parts of a scope side by side; nothing is asked without `by`. */
export function useBreakdown(
  query: LakeQuery,
  by: BreakdownResponse['by'] | undefined,
) {
  const api = useApi(deliveryLakeApiRef);
  return useQuery({
    queryKey: ['breakdown', query, by],
    queryFn: ({ signal }) =>
      api.getBreakdown({ ...query, by: by ?? 'service' }, { signal }),
    enabled: by !== undefined,
    placeholderData: keepPreviousData,
  });
}

/** Reads where a scope has most to gain. */
export function useImprovements(query: LakeQuery) {
  const api = useApi(deliveryLakeApiRef);
  return useQuery({
    queryKey: ['improvements', query],
    queryFn: ({ signal }) => api.getImprovements(query, { signal }),
    placeholderData: keepPreviousData,
  });
}

/** What the lake took in and could not place. */
export function useUnmatched() {
  const api = useApi(deliveryLakeApiRef);
  return useQuery({
    queryKey: ['unmatched'],
    queryFn: ({ signal }) => api.getUnmatched({ signal }),
  });
}
