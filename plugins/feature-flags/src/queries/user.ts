import { useServiceQuery } from '@slipway/app-react';
import { flagsApiRef } from '../api/FlagsApi';
import type { FlagUser } from '../api/user';

/** What the reader may do. */
export function useUser() {
  return useServiceQuery(flagsApiRef, ['user'], (api, call) =>
    api.getUser(call),
  );
}

/**
 * Tells whether to offer changes; false until that is known.
 *
 * @param project - of the flag that is changed; left out for what admins alone change.
 */
export function useMayChange(project?: string): boolean {
  const { data } = useUser();
  return data !== undefined && mayChangeIn(data, project);
}

/** Tells whether somebody may change flags of a project. */
export function mayChangeIn(
  { mayChange, projects }: FlagUser,
  project?: string,
): boolean {
  return mayChange || (project !== undefined && projects.includes(project));
}
