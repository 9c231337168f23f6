import { useServiceChange, useServiceQuery } from '@slipway/app-react';
import { type FlagsApi, flagsApiRef } from '../api/FlagsApi';

/** Tokens without their secrets, those of the configuration too. */
export function useTokens() {
  return useServiceQuery(flagsApiRef, ['tokens'], (api, call) =>
    api.listTokens(call),
  );
}

/** Resolves with the secret, which the service tells this once. */
export function useCreateToken() {
  return useServiceChange(
    flagsApiRef,
    (api, token: Parameters<FlagsApi['createToken']>[0]) =>
      api.createToken(token),
  );
}

/** Resolves with the new secret, which the service tells this once. */
export function useRotateToken() {
  return useServiceChange(flagsApiRef, (api, id: string) =>
    api.rotateToken(id),
  );
}

export function useDeleteToken() {
  return useServiceChange(flagsApiRef, (api, id: string) =>
    api.deleteToken(id),
  );
}
