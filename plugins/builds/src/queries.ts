import { useTranslationRef } from '@backstage/frontend-plugin-api';
import {
  pagesOfService,
  useServiceChange,
  useServiceQuery,
} from '@slipway/app-react';
import {
  type AgentChange,
  type BuildRef,
  buildsApiRef,
  type Decision,
  type RebuildOptions,
  type SecretChange,
  type TestQuery,
} from './api/BuildsApi';
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
  return useServiceChange(
    buildsApiRef,
    (api, { job, number, ...how }: BuildRef & RebuildOptions) =>
      api.rebuild({ job, number }, how),
  );
}

/** What a build waits for or waited for, as it is now. */
export function useApprovals(build: BuildRef, isRunning: boolean) {
  return useServiceQuery(
    buildsApiRef,
    ['approvals', build.job, build.number],
    (api, call) => api.getApprovals(build, call),
    { refetchInterval: isRunning ? 2 * BUSY_MS : false },
  );
}

/** Approves or rejects what a build waits for. */
export function useDecide(build: BuildRef) {
  return useServiceChange(buildsApiRef, (api, decision: Decision) =>
    api.decide(build, decision),
  );
}

/** Tests of a build that has ended. */
export function useTests(build: BuildRef, query: TestQuery) {
  return useServiceQuery(
    buildsApiRef,
    ['tests', build.job, build.number, query],
    (api, call) => api.getTests(build, query, call),
    { placeholderData: before => before },
  );
}

/** How one test went in the newest builds of a job and its branches. */
export function useTestHistory(job: string, id: string) {
  return useServiceQuery(buildsApiRef, ['test', job, id], (api, call) =>
    api.getTest(job, id, call),
  );
}

/** The file that describes a job. */
export function useJobFile(job: string) {
  return useServiceQuery(buildsApiRef, ['job', job, 'file'], (api, call) =>
    api.getJobFile(job, call),
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

/** The agents, as they are now. */
export function useAgents() {
  return useServiceQuery(
    buildsApiRef,
    ['agents'],
    (api, call) => api.getAgents(call),
    { refetchInterval: IDLE_MS },
  );
}

/** Makes a token that enrols one agent. */
export function useInviteAgent() {
  return useServiceChange(buildsApiRef, (api, labels: readonly string[]) =>
    api.inviteAgent(labels),
  );
}

/** Drains, resumes or removes an agent. */
export function useChangeAgent() {
  return useServiceChange(
    buildsApiRef,
    (api, { id, change }: { id: string; change: AgentChange }) =>
      api.changeAgent(id, change),
  );
}

/** The secrets of builds, without their values. */
export function useSecrets() {
  return useServiceQuery(buildsApiRef, ['secrets'], (api, call) =>
    api.getSecrets(call),
  );
}

/** Creates or replaces a secret. */
export function usePutSecret() {
  return useServiceChange(buildsApiRef, (api, secret: SecretChange) =>
    api.putSecret(secret),
  );
}

/** Deletes a secret. */
export function useRemoveSecret() {
  return useServiceChange(buildsApiRef, (api, name: string) =>
    api.removeSecret(name),
  );
}
