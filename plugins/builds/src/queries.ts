import { useTranslationRef } from '@backstage/frontend-plugin-api';
import {
  pagesOfService,
  useServiceChange,
  useServiceQuery,
} from '@slipway/app-react';
import { type BuildRef, buildsApiRef } from './api/BuildsApi';
import { buildsTranslationRef } from './translation';

/** What the pages, cards and dialogs of this plugin share. */
export const servicePages = pagesOfService(() => {
  const { t } = useTranslationRef(buildsTranslationRef);
  return {
    name: t('service.name'),
    data: t('service.data'),
    endpoint: 'proxy.endpoints./build-server',
    access: t('service.access'),
  };
});

/** How often to look again, in milliseconds: while something goes on, and else. */
const BUSY_MS = 1_000;
const IDLE_MS = 5_000;
/** Changes with a start of the build server alone. */
const ISOLATION_MS = 60_000;

/** Every job with its last builds, as it is now. */
export function useJobs() {
  return useServiceQuery(
    buildsApiRef,
    ['jobs'],
    (api, call) => api.getJobs(call),
    {
      refetchInterval: ({ state }) =>
        state.data?.some(job => job.inQueue || job.lastBuild?.building)
          ? BUSY_MS
          : IDLE_MS,
    },
  );
}

/** One job with its history, as it is now. */
export function useJob(name: string) {
  return useServiceQuery(
    buildsApiRef,
    ['job', name],
    (api, call) => api.getJob(name, call),
    {
      refetchInterval: ({ state }) =>
        state.data?.inQueue || state.data?.lastBuild?.building
          ? BUSY_MS
          : IDLE_MS,
    },
  );
}

/** How builds are isolated; it holds as long as the build server runs. */
export function useIsolation() {
  return useServiceQuery(
    buildsApiRef,
    ['isolation'],
    (api, call) => api.getIsolation(call),
    { staleTime: ISOLATION_MS, refetchInterval: ISOLATION_MS },
  );
}

/** What waits, as it is now. */
export function useQueue() {
  return useServiceQuery(
    buildsApiRef,
    ['queue'],
    (api, call) => api.getQueue(call),
    {
      refetchInterval: ({ state }) => (state.data?.length ? BUSY_MS : IDLE_MS),
    },
  );
}

/** One build, until it has ended. */
export function useBuild(build: BuildRef) {
  return useServiceQuery(
    buildsApiRef,
    ['build', build.job, build.number],
    (api, call) => api.getBuild(build, call),
    {
      refetchInterval: ({ state }) => {
        if (state.data?.building === false) {
          return false;
        }
        return state.data ? BUSY_MS : IDLE_MS;
      },
    },
  );
}

/** Queues a build of a job. */
export function useRunJob() {
  return useServiceChange(
    buildsApiRef,
    (api, run: { job: string; parameters: Record<string, string> }) =>
      api.runJob(run.job, run.parameters),
  );
}

/** Queues what a build is of again. */
export function useRebuild() {
  return useServiceChange(buildsApiRef, (api, build: BuildRef) =>
    api.rebuild(build),
  );
}

/** Asks for the end of a build. */
export function useStopBuild() {
  return useServiceChange(buildsApiRef, (api, build: BuildRef) =>
    api.stopBuild(build),
  );
}

/** Takes a build out of the queue. */
export function useCancelItem() {
  return useServiceChange(buildsApiRef, (api, id: number) =>
    api.cancelItem(id),
  );
}
