import type { Attributed } from '../people/Attribution.ts';
import type { Period } from '../periods/Period.ts';
import type { Contribution } from '../records/Contribution.ts';

export const SEVERITIES = ['low', 'medium', 'high', 'critical'] as const;
export type Severity = (typeof SEVERITIES)[number];

/** A report of something that got in a person's way. */
export interface FrictionLog extends Attributed {
  readonly id: string;
  /** Free text up to 64 characters, normalized by {@link normaliseCategory}. */
  readonly category: string;
  readonly severity: Severity;
  readonly timeLostMinutes: number;
  readonly description: string;
}

/** Normalizes a category, so that `Build` and ` build ` are counted together. */
export function normaliseCategory(category: string): string {
  return category.trim().replace(/\s+/g, ' ').toLocaleLowerCase('en-US');
}

/**
 * Returns the contribution of a friction log. It adds nothing to the totals: lost minutes are
 * summed from the records themselves, because there are few.
 */
export function contributionOfFriction(
  log: Pick<FrictionLog, 'team' | 'day'>,
): Contribution {
  return { team: log.team, day: log.day, totals: {} };
}

/** A query about friction. */
export interface FrictionQuery {
  /** A team, or `ALL_TEAMS`. */
  readonly team: string;
  readonly period: Period;
  /** Maximum number of categories. */
  readonly limit: number;
}

/** The friction in one category. */
export interface FrictionSum {
  readonly category: string;
  readonly entries: number;
  /** Number of distinct people, in the cycle with the most people. */
  readonly reporters: number;
  readonly timeLostMinutes: number;
  /** At most twenty of the texts that people wrote, in random order. */
  readonly texts: readonly string[];
}

/**
 * Determines which kinds of friction cost a team the most time: from all records if small groups
 * may be shown, otherwise from the released ones.
 */
export interface TopFriction {
  /** Ranks categories by time lost, then by number of reporters. */
  top(query: FrictionQuery): Promise<FrictionSum[]>;
}

/** Maximum number of texts per category. */
export const MOST_TEXTS = 20;

/** Returns the costliest categories; those with equal cost are sorted by number of reporters. */
export function costliest<T extends Omit<FrictionSum, 'texts'>>(
  sums: readonly T[],
  limit: number,
): T[] {
  return [...sums]
    .sort(
      (a, b) =>
        b.timeLostMinutes - a.timeLostMinutes || b.reporters - a.reporters,
    )
    .slice(0, limit);
}
