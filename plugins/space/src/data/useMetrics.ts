import { useApi } from '@backstage/frontend-plugin-api';
import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query';
import { type SpaceQuery, spaceApiRef } from '../api/SpaceApi';
import { DIMENSIONS, type DimensionName, type Granularity } from '../api/types';

/** Names of teams change with the organisation, not by the minute. */
const TEAMS_STALE_MS = 5 * 60_000;

/** The teams that a page can be narrowed to. */
export function useTeams() {
  const api = useApi(spaceApiRef);
  return useQuery({
    queryKey: ['teams'],
    queryFn: ({ signal }) => api.getTeams({ signal }),
    staleTime: TEAMS_STALE_MS,
  });
}

/** The five dimensions, each in whatever state it is. */
export function useDimensions(query: SpaceQuery, granularity: Granularity) {
  const api = useApi(spaceApiRef);
  return useQueries({
    queries: DIMENSIONS.map(name => ({
      queryKey: ['dimension', name, query, granularity],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        api.getDimension(name, { ...query, granularity }, { signal }),
      placeholderData: keepPreviousData,
    })),
  });
}

/** One of them. */
export function useDimension(
  name: DimensionName,
  query: SpaceQuery,
  granularity: Granularity = 'weekly',
) {
  const api = useApi(spaceApiRef);
  return useQuery({
    queryKey: ['dimension', name, query, granularity],
    queryFn: ({ signal }) =>
      api.getDimension(name, { ...query, granularity }, { signal }),
  });
}

/** All values of a period, to compare with. */
export function useValues(query: SpaceQuery) {
  const api = useApi(spaceApiRef);
  return useQuery({
    queryKey: ['values', query],
    queryFn: ({ signal }) => api.getValues(query, { signal }),
  });
}

/** What costs time, by category. */
export function useTopFriction(query: SpaceQuery) {
  const api = useApi(spaceApiRef);
  return useQuery({
    queryKey: ['friction', query],
    queryFn: ({ signal }) => api.getTopFriction(query, { signal }),
    placeholderData: keepPreviousData,
  });
}
