import { useApi } from '@backstage/frontend-plugin-api';
import { useMutation } from '@tanstack/react-query';
import { type BuildRef, buildsApiRef } from '../api/BuildsApi';

/** Saves the whole log as a file; by hand, as links carry no session. */
export function useDownloadLog(build: BuildRef) {
  const api = useApi(buildsApiRef);
  return useMutation({
    mutationFn: async () => {
      const url = URL.createObjectURL(await api.downloadLog(build));
      const link = document.createElement('a');
      link.href = url;
      link.download = `${build.job}-${build.number}.log`;
      link.click();
      URL.revokeObjectURL(url);
    },
  });
}
