import { useApi } from '@backstage/frontend-plugin-api';
import { useQuery } from '@tanstack/react-query';
import { type BuildRef, buildsApiRef } from '../api/BuildsApi';

/** How often to look again, in milliseconds: while something goes on, and else. */
const BUSY_MS = 1_000;
const IDLE_MS = 5_000;
/** Changes with a start of the build server alone. */
const ISOLATION_MS = 60_000;

/** Every job with its last builds, as it is now. */
export function useJobs() {
  const api = useApi(buildsApiRef);
  return useQuery({
    queryKey: ['jobs'],
    queryFn: ({ signal }) => api.getJobs({ signal }),
    refetchInterval: ({ state }) =>
      state.data?.some(job => job.inQueue || job.lastBuild?.building)
        ? BUSY_MS
        : IDLE_MS,
  });
}

/** One job with its history, as it is now. */
export function useJob(name: string) {
  const api = useApi(buildsApiRef);
  return useQuery({
    queryKey: ['job', name],
    queryFn: ({ signal }) => api.getJob(name, { signal }),
    refetchInterval: ({ state }) =>
      state.data?.inQueue || state.data?.lastBuild?.building
        ? BUSY_MS
        : IDLE_MS,
  });
}

/** How builds are isolated; it holds as long as the build server runs. */
export function useIsolation() {
  const api = useApi(buildsApiRef);
  return useQuery({
    queryKey: ['isolation'],
    queryFn: ({ signal }) => api.getIsolation({ signal }),
    staleTime: ISOLATION_MS,
    refetchInterval: ISOLATION_MS,
  });
}

/** What waits, as it is now. */
export function useQueue() {
  const api = useApi(buildsApiRef);
  return useQuery({
    queryKey: ['queue'],
    queryFn: ({ signal }) => api.getQueue({ signal }),
    refetchInterval: ({ state }) => (state.data?.length ? BUSY_MS : IDLE_MS),
  });
}

/** One build, until it has ended. */
export function useBuild(build: BuildRef) {
  const api = useApi(buildsApiRef);
  return useQuery({
    queryKey: ['build', build.job, build.number],
    queryFn: ({ signal }) => api.getBuild(build, { signal }),
    refetchInterval: ({ state }) => {
      if (state.data?.building === false) {
        return false;
      }
      return state.data ? BUSY_MS : IDLE_MS;
    },
  });
}
