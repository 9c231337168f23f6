import type { Subject } from '../ledger/Contribution.ts';
import type { Period } from '../periods/Period.ts';
import type { TeamDays } from '../privacy/Releases.ts';
import type { FrictionLog, Severity } from './FrictionLog.ts';

/** One category of friction, summed over days that may be shown. */
export interface FrictionSum {
  readonly entries: number;
  readonly reporters: number;
  readonly timeLostMinutes: number;
}

/** A friction log without who wrote it and when. */
export interface FrictionText {
  readonly severity: Severity;
  readonly timeLostMinutes: number;
  readonly description: string;
}

/**
 * Where friction logs are kept. It hides nothing: callers give `sum` and `texts` only
 * days that may be shown.
 */
export interface FrictionStore {
  /** Resolves once the log is on disk. */
  add(log: FrictionLog): Promise<void>;
  /** The categories of a period with how many entries they have, hidden ones too. */
  categories(options: {
    team: string;
    period: Period;
  }): Promise<{ category: string; entries: number }[]>;
  /** Zeros where the days hold nothing. */
  sum(category: string, days: readonly TeamDays[]): Promise<FrictionSum>;
  /** The costliest first. */
  texts(
    category: string,
    options: { days: readonly TeamDays[]; limit: number },
  ): Promise<FrictionText[]>;
}

/** Under which name a category is released. */
export function subjectOfCategory(category: string): Subject {
  return `friction:${category}`;
}
