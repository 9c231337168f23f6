import { useApi } from '@backstage/frontend-plugin-api';
import { useQuery } from '@tanstack/react-query';
import { ideLauncherApiRef } from '../../api/IdeLauncherApi';
import { queryKeys } from '../../data/workspaceQueries';
import { checkDevfileUrl } from './createFields';
import { useDebounced } from './useDebounced';

/** Short enough to feel immediate, long enough not to read a devfile per key. */
const TYPING_PAUSE_MS = 400;

/** Reads and checks the devfile while its address is typed; an outdated read is aborted. */
export function useDevfilePreview(devfileUrl: string) {
  const api = useApi(ideLauncherApiRef);
  const typed = devfileUrl.trim();
  const settled = useDebounced(typed, TYPING_PAUSE_MS);
  const isReadable = checkDevfileUrl(settled) === undefined;
  const query = useQuery({
    queryKey: queryKeys.preview(settled),
    queryFn: ({ signal }) => api.previewDevfile(settled, { signal }),
    enabled: isReadable,
    // Somebody edits the file while looking at its faults: never show an old answer as new.
    staleTime: 0,
    gcTime: 0,
    retry: false,
    refetchInterval: false,
    refetchOnWindowFocus: true,
  });
  const isTyping = typed !== settled;
  const isAsked = isReadable && checkDevfileUrl(typed) === undefined;
  return {
    isChecking: isAsked && (isTyping || query.isFetching),
    preview: isAsked && !isTyping ? query.data : undefined,
    error: isAsked && !isTyping ? query.error : null,
  };
}
