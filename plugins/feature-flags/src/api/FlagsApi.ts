import { createApiRef } from '@backstage/frontend-plugin-api';

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

/** A rule that says for whom a flag is on. */
export interface Strategy {
  name: string;
  parameters: Record<string, string>;
  constraints?: readonly unknown[];
}

/** A feature flag; times are ISO 8601. */
export interface Flag {
  name: string;
  project: string;
  description: string;
  type: string;
  enabled: boolean;
  stale: boolean;
  strategies: readonly Strategy[];
  createdAt: string;
  updatedAt: string;
  archived: boolean;
}

/** What somebody may change of a flag. */
export type FlagChanges = Partial<
  Pick<Flag, 'description' | 'type' | 'enabled' | 'stale' | 'strategies'>
>;

/** What a new flag is made of. */
export type NewFlag = Pick<Flag, 'name' | 'description' | 'type'>;

/** How often a flag was on and off from a point in time to the next. */
export interface UsagePoint {
  /** When the span begins, ISO 8601. */
  timestamp: string;
  yes: number;
  no: number;
}

/** Length of the times that usage is shown by. */
export type Interval = 'hour' | 'day';

/** Usage of the last hour, and who asked. */
export interface FlagMetrics {
  lastHourUsage: { yes: number; no: number };
  seenApplications: readonly string[];
}

/** Something that somebody changed. Times are ISO 8601. */
export interface HistoryEvent {
  id: number;
  type: string;
  createdBy: string;
  createdAt: string;
  /** What it was; null for what was not there. */
  preData: Record<string, unknown> | null;
  data: Record<string, unknown> | null;
}

/** Applications read flags with a client token, scripts change them with an admin token. */
export type TokenType = 'client' | 'admin';

/** A token without its secret. */
export interface ApiToken {
  id: string;
  tokenName: string;
  type: TokenType;
  projects: readonly string[];
  environment: string;
  createdBy: string;
  /** Null for a token of the configuration, which is taken back there. */
  createdAt: string | null;
}

/** A token that was just made; nobody can be shown its secret again. */
export interface NewApiToken extends ApiToken {
  secret: string;
}

/** What the reader may do here. */
export interface FlagUser {
  mayChange: boolean;
  /** Groups whose members may change flags. */
  admins: readonly string[];
  environment: string;
  /** Address of the service for SDKs, `/api` included. */
  clientUrl: string;
}
