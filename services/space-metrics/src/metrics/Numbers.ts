import type { Period } from '../periods/Period.ts';
import type { Measure, Subject } from '../records/Contribution.ts';

/** Sums by measure; what was never counted is absent. */
export type Totals = Partial<Record<Measure, number>>;

/** What may be shown of one period. */
export interface Sums {
  /** Absent where nothing may be shown. */
  readonly totals?: Totals;
  /** How many people stand behind it: different ones, of the cycle that has the most. */
  readonly people: number;
  /** Days on which each of them was present, added up. */
  readonly personDays: number;
}

/** From joining to the first commit, of the people whose first commit is in a period. */
export interface Joining {
  /** Mean; null where nothing may be shown. */
  readonly hours: number | null;
  readonly joiners: number;
}

/** What is asked about people: sums of some measures, over each of some periods. */
export interface NumbersQuery {
  /** A team, or `ALL_TEAMS`. */
  readonly team: string;
  readonly periods: readonly Period[];
  readonly measures: readonly Measure[];
  /** Says which of `people` and `personDays` to count, which takes long. */
  readonly crowd?: 'people' | 'days';
}

/**
 * Numbers about people, one answer for each period: live ones where nobody is hidden,
 * else those that were released.
 */
export interface Numbers {
  /** Groups of fewer people are hidden; 1 hides nobody. */
  readonly minimumGroupSize: number;
  read(subject: Subject, query: NumbersQuery): Promise<Sums[]>;
  joining(team: string, periods: readonly Period[]): Promise<Joining[]>;
  /** The weeks of a period that its sums are of. */
  weeks(period: Period): number;
  /** The teams that have numbers. */
  teams(): Promise<string[]>;
  /** What was ever counted, by team: never goes down. */
  counted(
    name: 'commits' | 'messages',
  ): Promise<{ team: string; total: number }[]>;
}
