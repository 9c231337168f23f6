import {
  toastApiRef,
  useApi,
  useTranslationRef,
} from '@backstage/frontend-plugin-api';
import { useErrorWords } from '@slipway/app-react';
import { useWorkspaceActions } from '../data/useWorkspaceActions';
import { ideLauncherTranslationRef } from '../translation';
import { clockTime } from './clockTime';

/** Start, stop and extend for buttons: a failure is told in a toast that names the workspace. */
export function useReportedActions(workspace: {
  workspaceId: string;
  name: string;
}) {
  const { workspaceId, name } = workspace;
  const { t } = useTranslationRef(ideLauncherTranslationRef);
  const toastApi = useApi(toastApiRef);
  const errorWords = useErrorWords();
  const { start, stop, extend } = useWorkspaceActions();
  const report = (title: string) => (error: unknown) => {
    toastApi.post({ title, description: errorWords(error), status: 'danger' });
  };
  return {
    isPending: start.isPending || stop.isPending || extend.isPending,
    start: () =>
      start.mutate(workspaceId, {
        onError: report(t('toast.startFailed', { name })),
      }),
    stop: () =>
      stop.mutate(workspaceId, {
        onError: report(t('toast.stopFailed', { name })),
      }),
    extend: () =>
      extend.mutate(workspaceId, {
        onError: report(t('toast.extendFailed', { name })),
        onSuccess: ({ stopsAt }) => {
          if (stopsAt) {
            toastApi.post({
              title: t('toast.extended', { name, time: clockTime(stopsAt) }),
              status: 'neutral',
              timeout: 5_000,
            });
          }
        },
      }),
  };
}
