import type { ServiceClient, CallOptions } from '@slipway/app-react';

/** The permissions of the user. */
export interface FlagUser {
  /** True if the user may change everything. */
  mayChange: boolean;
  /** Projects whose flags the user may change. */
  projects: readonly string[];
  /** Groups whose members may change flags. */
  admins: readonly string[];
  environment: string;
  /** URL of the service for SDKs, including `/api`. */
  clientUrl: string;
}

/** The user and their permissions. */
export interface UserCalls {
  getUser(options?: CallOptions): Promise<FlagUser>;
}

/** {@link UserCalls} of the service. */
export function userCalls(admin: ServiceClient): UserCalls {
  return {
    getUser(options) {
      return admin.json('/user', options);
    },
  };
}
