import { useApi } from '@backstage/frontend-plugin-api';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type BuildRef, type BuildsApi, buildsApiRef } from '../api/BuildsApi';

/** Does something; whatever was read before may have changed with it. */
function useAction<I, O>(act: (api: BuildsApi, input: I) => Promise<O>) {
  const api = useApi(buildsApiRef);
  const client = useQueryClient();
  return useMutation({
    mutationFn: (input: I) => act(api, input),
    onSuccess: () => client.invalidateQueries(),
  });
}

/** Queues a build of a job. */
export function useRunJob() {
  return useAction(
    (api, run: { job: string; parameters: Record<string, string> }) =>
      api.runJob(run.job, run.parameters),
  );
}

/** Queues what a build is of again. */
export function useRebuild() {
  return useAction((api, build: BuildRef) => api.rebuild(build));
}

/** Asks for the end of a build. */
export function useStopBuild() {
  return useAction((api, build: BuildRef) => api.stopBuild(build));
}

/** Takes a build out of the queue. */
export function useCancelItem() {
  return useAction((api, id: number) => api.cancelItem(id));
}
