import { useServiceChange } from '@slipway/app-react';
import { flagsApiRef } from '../api/FlagsApi';
import type { Dependency, FlagLink, FlagName, Tag } from '../api/flags';

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
