import type { Period } from '../periods/Period.ts';
import type { Measure, Subject } from '../records/Contribution.ts';

/** Sums by measure; measures without data are missing. */
export type Totals = Partial<Record<Measure, number>>;

/** The numbers that may be shown for one period. */
export interface Sums {
  /** Missing if nothing may be shown. */
  readonly totals?: Totals;
  /**
   * The number of distinct people whose records are included, in the cycle with the most people.
   */
  readonly people: number;
  /** The sum of the days on which each of them was present. */
  readonly personDays: number;
}

/** The time from joining to the first commit, for people whose first commit is in a period. */
export interface Joining {
  /** Average; null if nothing may be shown. */
  readonly hours: number | null;
  readonly joiners: number;
}

/** A query about people: sums of some measures, for each of some periods. */
export interface NumbersQuery {
  /** A team, or `ALL_TEAMS`. */
  readonly team: string;
  readonly periods: readonly Period[];
  readonly measures: readonly Measure[];
  /**
   * The counts of people to compute, because counting is slow: only `people`, or also `personDays`.
   */
  readonly crowd?: 'people' | 'days';
}

/**
 * Reads numbers about people, with one result for each period: live numbers if small groups may be
 * shown, otherwise the released ones.
 */
export interface Numbers {
  /** Groups with fewer people are hidden; 1 hides none. */
  readonly minimumGroupSize: number;
  read(subject: Subject, query: NumbersQuery): Promise<Sums[]>;
  joining(team: string, periods: readonly Period[]): Promise<Joining[]>;
  /** Returns the number of weeks in a period that its sums cover. */
  weeks(period: Period): number;
  /** Returns the teams with data. */
  teams(): Promise<string[]>;
  /** Returns the all-time counts by team, which never decrease. */
  counted(
    name: 'commits' | 'messages',
  ): Promise<{ team: string; total: number }[]>;
}
