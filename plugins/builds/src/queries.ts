import { useTranslationRef } from '@backstage/frontend-plugin-api';
import {
  isMissing,
  pagesOfService,
  useServiceChange,
  useServiceQuery,
} from '@slipway/app-react';
import type { DayRange } from '@slipway/design-system';
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

/** Helpers shared by the pages, cards and dialogs of this plugin. */
export const servicePages = pagesOfService(() => {
  const { t } = useTranslationRef(buildsTranslationRef);
  return {
    name: t('service.name'),
    data: t('service.data'),
    endpoint: 'proxy.endpoints./build-server',
    access: t('service.access'),
  };
});

/** Polling intervals in milliseconds: while builds are running, and while idle. */
const BUSY_MS = 1_000;
const IDLE_MS = 5_000;
/** The isolation of processes changes only when the build server restarts. */
const ISOLATION_MS = 60_000;

/** Polls every job with its last builds. */
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

/** Polls one job with its history. */
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

/**
 * Polls the job of a build. Builds outlive the job of a branch or pull request; if that job is
 * gone, returns the job that created it, which has a different name.
 */
export function useJobOfBuild(name: string) {
  return useServiceQuery(
    buildsApiRef,
    ['jobOfBuild', name],
    async (api, call) => {
      try {
        return await api.getJob(name, call);
      } catch (error) {
        const [parent] = name.split('/');
        if (parent === name || !isMissing(error)) {
          throw error;
        }
        return api.getJob(parent, call);
      }
    },
    {
      refetchInterval: ({ state: { data } }) => {
        if (data && data.name !== name) {
          return false;
        }
        return data?.inQueue || data?.lastBuild?.building ? BUSY_MS : IDLE_MS;
      },
    },
  );
}

/** Reads how builds are isolated, and whether containers run. */
export function useIsolation() {
  return useServiceQuery(
    buildsApiRef,
    ['isolation'],
    (api, call) => api.getIsolation(call),
    { staleTime: ISOLATION_MS, refetchInterval: ISOLATION_MS },
  );
}

/** Polls the queue. */
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

/** Polls one build until it has ended. */
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

/** Disables or enables a job. */
export function useSetJobEnabled(job: string) {
  return useServiceChange(buildsApiRef, (api, isEnabled: boolean) =>
    api.setJobEnabled(job, isEnabled),
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

/** Runs a build again. */
export function useRebuild() {
  return useServiceChange(
    buildsApiRef,
    (api, { job, number, ...how }: BuildRef & RebuildOptions) =>
      api.rebuild({ job, number }, how),
  );
}

/** Polls the pending and past approvals of a build. */
export function useApprovals(build: BuildRef, isRunning: boolean) {
  return useServiceQuery(
    buildsApiRef,
    ['approvals', build.job, build.number],
    (api, call) => api.getApprovals(build, call),
    { refetchInterval: isRunning ? 2 * BUSY_MS : false },
  );
}

/** Approves or rejects a pending step of a build. */
export function useDecide(build: BuildRef) {
  return useServiceChange(buildsApiRef, (api, decision: Decision) =>
    api.decide(build, decision),
  );
}

/** Reads the tests of a build that has ended. */
export function useTests(build: BuildRef, query: TestQuery) {
  return useServiceQuery(
    buildsApiRef,
    ['tests', build.job, build.number, query],
    (api, call) => api.getTests(build, query, call),
    { placeholderData: before => before },
  );
}

/** Reads the outcomes of one test in the newest builds of a job and its branches. */
export function useTestHistory(job: string, id: string) {
  return useServiceQuery(buildsApiRef, ['test', job, id], (api, call) =>
    api.getTest(job, id, call),
  );
}

/** Reads the file that defines a job, if it has one. */
export function useJobFile(job: string, options: { isEnabled: boolean }) {
  return useServiceQuery(
    buildsApiRef,
    ['job', job, 'file'],
    (api, call) => api.getJobFile(job, call),
    { enabled: options.isEnabled },
  );
}

/** Stops a build. */
export function useStopBuild() {
  return useServiceChange(buildsApiRef, (api, build: BuildRef) =>
    api.stopBuild(build),
  );
}

/** Names and describes a build. */
export function useDescribeBuild(build: BuildRef) {
  return useServiceChange(
    buildsApiRef,
    (api, about: { displayName: string; description: string }) =>
      api.describeBuild(build, about),
  );
}

/** Keeps a build, or stops keeping it. */
export function useKeepBuild(build: BuildRef) {
  return useServiceChange(
    buildsApiRef,
    (api, change: { isKept: boolean; reason: string }) =>
      change.isKept
        ? api.keepBuild(build, change.reason)
        : api.stopKeeping(build),
  );
}

/** Removes a build from the queue. */
export function useCancelItem() {
  return useServiceChange(buildsApiRef, (api, id: number) =>
    api.cancelItem(id),
  );
}

/** Polls the agents. */
export function useAgents() {
  return useServiceQuery(
    buildsApiRef,
    ['agents'],
    (api, call) => api.getAgents(call),
    { refetchInterval: IDLE_MS },
  );
}

/** Creates a token that enrols one agent. */
export function useInviteAgent() {
  return useServiceChange(
    buildsApiRef,
    (api, labels: readonly string[]) => api.inviteAgent(labels),
    { hasSecret: true },
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

/** Reads the secrets of builds, without their values. */
export function useSecrets() {
  return useServiceQuery(buildsApiRef, ['secrets'], (api, call) =>
    api.getSecrets(call),
  );
}

/** Reads the usage of builds in a period. */
export function useUsage({ startDate, endDate }: DayRange) {
  return useServiceQuery(
    buildsApiRef,
    ['usage', startDate, endDate],
    (api, call) => api.getUsage({ from: startDate, to: endDate }, call),
    { placeholderData: before => before },
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
