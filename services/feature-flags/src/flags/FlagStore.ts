import type { Flag } from './Flag.ts';

/** What happened, in the words of Unleash's events; webhooks go by the same names. */
export type FlagEventType =
  | 'feature-created'
  | 'feature-updated'
  | 'feature-archived'
  | 'feature-revived';

/** A change of one flag, with what it was. */
export interface FlagChange {
  readonly type: FlagEventType;
  readonly before: Flag | undefined;
  readonly after: Flag;
  /** Who did it: the name of a token or the entity reference of a user. */
  readonly by: string;
}

/** One transaction over flags; no other writer is between its reads and writes. */
export interface FlagTransaction {
  /** Archived ones too. */
  find(name: string): Promise<Flag | undefined>;
  /** Writes the flag, its history and the webhook that tells of it. */
  save(change: FlagChange): Promise<void>;
}

/** What changed since a revision. */
export interface FlagDelta {
  readonly revision: number;
  /** Tells one database from another that counts anew. */
  readonly lineage: string;
  /** Archived ones too: who follows has to forget them. */
  readonly flags: readonly Flag[];
}

/** Flags as one environment has them. */
export interface FlagStore {
  /** Resolves once all of it is on disk; nothing of it is where `work` throws. */
  transaction<T>(work: (trx: FlagTransaction) => Promise<T>): Promise<T>;
  find(name: string): Promise<Flag | undefined>;
  /** By name; those in use, or those archived. */
  list(options: { archived: boolean }): Promise<Flag[]>;
  /** Everything above a revision; it may hold some that is newer than what it says. */
  changedSince(revision: number): Promise<FlagDelta>;
}
