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
