import { useApi } from '@backstage/frontend-plugin-api';
import { useMutation } from '@tanstack/react-query';
import { type BuildRef, buildsApiRef } from '../api/BuildsApi';

/** How long a browser may take to read what it was given. */
const READ_MS = 60_000;

/**
 * The whole log, saved as a file or shown as text in a tab of its own; by hand, as links
 * carry no session.
 */
export function useWholeLog(build: BuildRef) {
  const api = useApi(buildsApiRef);
  return useMutation({
    mutationFn: async (as: 'file' | 'tab') => {
      // Before the answer: later the browser takes it for a pop-up.
      const tab = as === 'tab' ? window.open('', '_blank') : null;
      try {
        const log = await api.downloadLog(build);
        // Text whatever it holds: nothing of a log is markup.
        const type = 'text/plain;charset=utf-8';
        const url = URL.createObjectURL(new Blob([log], { type }));
        setTimeout(() => URL.revokeObjectURL(url), READ_MS);
        if (tab) {
          tab.opener = null;
          tab.location.href = url;
          return;
        }
        const link = document.createElement('a');
        link.href = url;
        link.download = `${build.job}-${build.number}.log`;
        link.click();
      } catch (error) {
        tab?.close();
        throw error;
      }
    },
  });
}
