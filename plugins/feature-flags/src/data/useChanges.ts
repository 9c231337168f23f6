import { useApi } from '@backstage/frontend-plugin-api';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FlagsApi, flagsApiRef } from '../api/FlagsApi';
import type { FlagChanges, NewFlag } from '../api/types';

/** Changes something; whatever was read before may have changed with it. */
function useChange<I, O>(change: (api: FlagsApi, input: I) => Promise<O>) {
  const api = useApi(flagsApiRef);
  const client = useQueryClient();
  return useMutation({
    mutationFn: (input: I) => change(api, input),
    onSettled: () => client.invalidateQueries(),
  });
}

export function useCreateFlag() {
  return useChange((api, flag: NewFlag) => api.createFlag(flag));
}

/** What is left out of the changes stays as it is. */
export function useUpdateFlag(name: string) {
  return useChange((api, changes: FlagChanges) =>
    api.updateFlag(name, changes),
  );
}

export function useToggleFlag(name: string) {
  return useChange((api, enabled: boolean) => api.toggleFlag(name, enabled));
}

/** Takes whether the flag is to be in the archive: true puts it there, false revives it. */
export function useArchiveFlag(name: string) {
  return useChange((api, archived: boolean) =>
    archived ? api.archiveFlag(name) : api.reviveFlag(name),
  );
}

/** Resolves with the secret, which the service tells this once. */
export function useCreateToken() {
  return useChange((api, token: Parameters<FlagsApi['createToken']>[0]) =>
    api.createToken(token),
  );
}

export function useDeleteToken() {
  return useChange((api, id: string) => api.deleteToken(id));
}
