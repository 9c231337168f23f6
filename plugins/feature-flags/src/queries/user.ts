import { useServiceQuery } from '@slipway/app-react';
import { flagsApiRef } from '../api/FlagsApi';
import type { FlagUser } from '../api/user';

/** Reads the permissions of the user. */
export function useUser() {
  return useServiceQuery(flagsApiRef, ['user'], (api, call) =>
    api.getUser(call),
  );
}

/**
 * Checks whether to offer changes; false while loading.
 *
 * @param project - of the flag that is changed; undefined for changes that only admins may make.
 */
export function useMayChange(project?: string): boolean {
  const { data } = useUser();
  return data !== undefined && mayChangeIn(data, project);
}

/** Checks whether a user may change flags of a project. */
export function mayChangeIn(
  { mayChange, projects }: FlagUser,
  project?: string,
): boolean {
  return mayChange || (project !== undefined && projects.includes(project));
}
