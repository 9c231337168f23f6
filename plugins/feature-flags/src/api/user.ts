import type { ServiceClient } from '@slipway/app-react';
import type { CallOptions } from './CallOptions';

/** What the reader may do here. */
export interface FlagUser {
  /** True for those who may change everything. */
  mayChange: boolean;
  /** Projects whose flags the reader may change. */
  projects: readonly string[];
  /** Groups whose members may change flags. */
  admins: readonly string[];
  environment: string;
  /** Address of the service for SDKs, `/api` included. */
  clientUrl: string;
}

/** The reader, and what they may do. */
export interface UserCalls {
  getUser(options?: CallOptions): Promise<FlagUser>;
}

/** {@link UserCalls} of the service. */
export function userCalls(admin: ServiceClient): UserCalls {
  return {
    getUser(options?: CallOptions): Promise<FlagUser> {
      return admin.json('/user', options);
    },
  };
}
