import { useServiceChange, useServiceQuery } from '@slipway/app-react';
import { type FlagsApi, flagsApiRef } from '../api/FlagsApi';
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
 * @param project - the project of the flag; undefined for changes that only admins may make.
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

/** Checks whether a user may create flags, in any project. */
export function mayCreate({ mayChange, projects }: FlagUser): boolean {
  return mayChange || projects.length > 0;
}

/** Reads the tokens without their secrets, including those of the configuration. */
export function useTokens() {
  return useServiceQuery(flagsApiRef, ['tokens'], (api, call) =>
    api.listTokens(call),
  );
}

/** Creates a token. Resolves with the secret, which the service shows only once. */
export function useCreateToken() {
  return useServiceChange(
    flagsApiRef,
    (api, token: Parameters<FlagsApi['createToken']>[0]) =>
      api.createToken(token),
    { hasSecret: true },
  );
}

/** Rotates a token. Resolves with the new secret, which the service shows only once. */
export function useRotateToken() {
  return useServiceChange(
    flagsApiRef,
    (api, id: string) => api.rotateToken(id),
    { hasSecret: true },
  );
}

export function useDeleteToken() {
  return useServiceChange(flagsApiRef, (api, id: string) =>
    api.deleteToken(id),
  );
}
