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
  /** What a flag is in each environment, in their order. */
  getEnvironments(
    flag: Pick<Flag, 'name' | 'project'>,
    options?: CallOptions,
  ): Promise<FlagEnvironment[]>;
  toggleEnvironment(
    flag: Pick<Flag, 'name' | 'project'>,
    change: { environment: string; enabled: boolean },
  ): Promise<void>;
  listSegments(options?: CallOptions): Promise<Segment[]>;
  createSegment(segment: NewSegment): Promise<Segment>;
  /** What is left out of the changes stays as it is. */
  updateSegment(id: number, changes: Partial<NewSegment>): Promise<Segment>;
  /** Rejects with 409 while a rule names the segment. */
  deleteSegment(id: number): Promise<void>;
  listContextFields(options?: CallOptions): Promise<ContextField[]>;
  createFlag(flag: NewFlag): Promise<Flag>;
  /**
   * What is left out of the changes stays as it is.
   *
   * @param options.etag - of the flag as it was read: 412 where it has changed since.
   */
  updateFlag(
    name: string,
    changes: FlagChanges,
    options?: { etag?: string },
  ): Promise<Flag>;
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

/** A condition of a rule. */
export interface Constraint {
  contextName: string;
  operator: string;
  values?: readonly string[];
  value?: string;
  inverted?: boolean;
}

/** A rule that says for whom a flag is on. */
export interface Strategy {
  name: string;
  title?: string | null;
  /** True for a rule that is kept and lets nobody in. */
  disabled?: boolean;
  parameters: Record<string, string>;
  constraints?: readonly Constraint[];
  /** Ids of segments. */
  segments?: readonly number[];
  variants?: readonly { name: string }[];
}

/** Something in a flag's rules that SDKs cannot evaluate as it was meant. */
export interface FlagProblem {
  /** The path of the field, e.g. `strategies.0.constraints.1.value`. */
  field: string;
  message: string;
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
  problems?: readonly FlagProblem[];
  /** The entity tag of the state that was read; flags of lists have none. */
  etag?: string;
}

/** Constraints under one name, which rules share. */
export interface Segment {
  id: number;
  name: string;
  description: string;
  constraints: readonly Constraint[];
  problems?: readonly FlagProblem[];
}

export type NewSegment = Pick<Segment, 'name' | 'description' | 'constraints'>;

/** A field of the context in which applications evaluate flags. */
export interface ContextField {
  name: string;
  /** The values that it may have; any where there are none. */
  legalValues: readonly { value: string }[];
}

/** What a flag is in one environment. */
export interface FlagEnvironment {
  name: string;
  /** development, production, … */
  type: string;
  enabled: boolean;
  strategies: readonly Strategy[];
  problems?: readonly FlagProblem[];
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
  /** The environment that was changed; null for a change to all of them. */
  environment?: string | null;
  createdBy: string;
  createdAt: string;
  /** What it was; null for what was not there. */
  preData: Record<string, unknown> | null;
  data: Record<string, unknown> | null;
}

/** Applications read flags with a client token, pages with a frontend token; scripts change them with an admin token. */
export type TokenType = 'client' | 'frontend' | 'admin';

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
