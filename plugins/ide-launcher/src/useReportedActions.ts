import {
  toastApiRef,
  useApi,
  useTranslationRef,
} from '@backstage/frontend-plugin-api';
import { useErrorWords } from '@slipway/app-react';
import { formatMoment } from '@slipway/design-system';
import { useWorkspaceActions } from './queries';
import { ideLauncherTranslationRef } from './translation';

/**
 * Returns start, stop, restart and extend for the buttons of one workspace. Failures appear in a toast that
 * names the workspace, even if the user has already left the page.
 */
export function useReportedActions(workspace: {
  workspaceId: string;
  name: string;
}) {
  const { workspaceId, name } = workspace;
  const { t } = useTranslationRef(ideLauncherTranslationRef);
  const toastApi = useApi(toastApiRef);
  const errorWords = useErrorWords();
  const { start, startUpdated, stop, restart, extend } = useWorkspaceActions();
  const actions = { start, startUpdated, stop, restart, extend };
  const run = async (action: keyof typeof actions) => {
    try {
      return await actions[action].mutateAsync(workspaceId);
    } catch (error) {
      const title = t(`toast.${action}Failed`, { name });
      const description = errorWords(error);
      toastApi.post({ title, description, status: 'danger' });
      return undefined;
    }
  };
  return {
    isPending: Object.values(actions).some(each => each.isPending),
    start: () => run('start'),
    /** Reads the devfile again, then starts the workspace. */
    startUpdated: () => run('startUpdated'),
    stop: () => run('stop'),
    restart: () => run('restart'),
    extend: async () => {
      const stopsAt = (await run('extend'))?.stopsAt;
      if (stopsAt) {
        const time = formatMoment(Date.parse(stopsAt));
        const title = t('toast.extended', { name, time });
        toastApi.post({ title, status: 'neutral', timeout: 5_000 });
      }
    },
  };
}
