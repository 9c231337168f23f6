import { useTranslationRef } from '@backstage/frontend-plugin-api';
import {
  pagesOfService,
  useServiceChange,
  useServiceQuery,
} from '@slipway/app-react';
import { flagsApiRef } from '../api/FlagsApi';
import type {
  Dependency,
  EnvironmentChange,
  FlagChanges,
  FlagLink,
  FlagName,
  NewFlag,
  Tag,
} from '../api/flags';
import { flagsTranslationRef } from '../translation';
import { useUser } from './access';

/** The texts about the service that the pages, cards and dialogs of this plugin share. */
export const servicePages = pagesOfService(() => {
  const { t } = useTranslationRef(flagsTranslationRef);
  return {
    name: t('service.name'),
    data: t('service.data'),
    endpoint: 'proxy.endpoints./feature-flags',
    access: t('service.access'),
  };
});

/** Reads the flags in use, or the archived ones. */
export function useFlags(archived: boolean) {
  return useServiceQuery(flagsApiRef, ['flags', { archived }], (api, call) =>
    api.listFlags({ archived }, call),
  );
}

export function useFlagNamed(name: string) {
  return useServiceQuery(flagsApiRef, ['flag', name], (api, call) =>
    api.getFlag(name, call),
  );
}

/** Reads the state of a flag in each environment. */
export function useEnvironments(flag: FlagName) {
  return useServiceQuery(
    flagsApiRef,
    ['environments', flag.project, flag.name],
    (api, call) => api.getEnvironments(flag, call),
  );
}

/** Changes a flag in one environment. Resolves with the change request if one was created. */
export function useChangeEnvironment(flag: FlagName) {
  return useServiceChange(flagsApiRef, (api, change: EnvironmentChange) =>
    api.changeEnvironment(flag, change),
  );
}

export function useCreateFlag() {
  const { data: user } = useUser();
  const isAdmin = user?.mayChange ?? false;
  return useServiceChange(flagsApiRef, (api, flag: NewFlag) =>
    api.createFlag(flag, { isAdmin }),
  );
}

/** Changes the given settings; fails with 412 if the flag no longer has the given `etag`. */
export function useUpdateFlag(name: string) {
  return useServiceChange(
    flagsApiRef,
    (api, { etag, ...changes }: FlagChanges & { etag?: string }) =>
      api.updateFlag(name, changes, etag),
  );
}

/** Moves a flag to another project, by its id. */
export function useMoveFlag(flag: FlagName) {
  return useServiceChange(flagsApiRef, (api, project: string) =>
    api.moveFlag(flag, project),
  );
}

/** Archives a flag (true), or restores it (false). */
export function useArchiveFlag(name: string) {
  return useServiceChange(flagsApiRef, (api, archived: boolean) =>
    archived ? api.archiveFlag(name) : api.reviveFlag(name),
  );
}

export function useSetDependency(flag: FlagName) {
  return useServiceChange(flagsApiRef, (api, dependency: Dependency) =>
    api.setDependency(flag, dependency),
  );
}

export function useRemoveDependency(flag: FlagName) {
  return useServiceChange(flagsApiRef, (api, parent: string) =>
    api.removeDependency(flag, parent),
  );
}

export function useAddLink(flag: FlagName) {
  return useServiceChange(flagsApiRef, (api, link: Omit<FlagLink, 'id'>) =>
    api.addLink(flag, link),
  );
}

export function useRemoveLink(flag: FlagName) {
  return useServiceChange(flagsApiRef, (api, id: string) =>
    api.removeLink(flag, id),
  );
}

export function useAddTag(name: string) {
  return useServiceChange(flagsApiRef, (api, tag: Tag) =>
    api.addTag(name, tag),
  );
}

export function useRemoveTag(name: string) {
  return useServiceChange(flagsApiRef, (api, tag: Tag) =>
    api.removeTag(name, tag),
  );
}

/** Reads the flags that can be removed. */
export function useCleanUp() {
  return useServiceQuery(flagsApiRef, ['clean-up'], (api, call) =>
    api.listCleanUp(call),
  );
}

/** Reads the lines of code that name a flag. */
export function useReferences(name: string) {
  return useServiceQuery(flagsApiRef, ['references', name], (api, call) =>
    api.listReferences(name, call),
  );
}

export function useOpenIssue(name: string) {
  return useServiceChange(flagsApiRef, api => api.openIssue(name));
}
