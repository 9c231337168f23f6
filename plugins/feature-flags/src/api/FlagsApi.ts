import { createApiRef } from '@backstage/frontend-plugin-api';
import type {
  ApiToken,
  Flag,
  FlagChanges,
  FlagMetrics,
  FlagUser,
  HistoryEvent,
  Interval,
  NewApiToken,
  NewFlag,
  TokenType,
  UsagePoint,
} from './types';

/** What every reading call takes beside its own arguments. */
export interface CallOptions {
  /** Aborts the request. */
  signal?: AbortSignal;
}

/**
 * The admin side of the feature-flag service, for the signed-in user. Every method
 * rejects with a `ResponseError` when the answer is not 2xx, and with a `TypeError`
 * when there was none.
 */
export interface FlagsApi {
  /** The portal's own flags that are on for the reader. */
  getPortalFlags(options?: CallOptions): Promise<Record<string, boolean>>;
  getUser(options?: CallOptions): Promise<FlagUser>;
  listFlags(
    query: { archived: boolean },
    options?: CallOptions,
  ): Promise<Flag[]>;
  getFlag(name: string, options?: CallOptions): Promise<Flag>;
  createFlag(flag: NewFlag): Promise<Flag>;
  updateFlag(name: string, changes: FlagChanges): Promise<Flag>;
  toggleFlag(name: string, enabled: boolean): Promise<Flag>;
  archiveFlag(name: string): Promise<Flag>;
  reviveFlag(name: string): Promise<Flag>;
  getMetrics(name: string, options?: CallOptions): Promise<FlagMetrics>;
  /** Counts in order of time, for that many hours or days up to now. */
  getUsage(
    name: string,
    query: { interval: Interval; count: number },
    options?: CallOptions,
  ): Promise<UsagePoint[]>;
  /** Usage of the last 24 hours by flag name; flags without usage are left out. */
  getRecentUsage(options?: CallOptions): Promise<Map<string, UsagePoint[]>>;
  /** Newest first. */
  getHistory(name: string, options?: CallOptions): Promise<HistoryEvent[]>;
  listTokens(options?: CallOptions): Promise<ApiToken[]>;
  createToken(token: {
    tokenName: string;
    type: TokenType;
  }): Promise<NewApiToken>;
  deleteToken(id: string): Promise<void>;
  /** Names of applications that have registered, those seen last first. */
  listApplications(options?: CallOptions): Promise<string[]>;
}

/** {@link FlagsApi} */
export const flagsApiRef = createApiRef<FlagsApi>().with({
  id: 'plugin.feature-flags.client',
  pluginId: 'feature-flags',
});
