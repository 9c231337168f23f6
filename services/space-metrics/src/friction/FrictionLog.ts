import type { Attributed } from '../people/Attribution.ts';
import type { Period } from '../periods/Period.ts';
import type { Contribution } from '../records/Contribution.ts';

export const SEVERITIES = ['low', 'medium', 'high', 'critical'] as const;
export type Severity = (typeof SEVERITIES)[number];

/** Something that got in somebody's way. */
export interface FrictionLog extends Attributed {
  readonly id: string;
  /** Free, up to 64 characters, as {@link normaliseCategory} spells it. */
  readonly category: string;
  readonly severity: Severity;
  readonly timeLostMinutes: number;
  readonly description: string;
}

/** One spelling per category: `Build` and ` build ` are counted together. */
export function normaliseCategory(category: string): string {
  return category.trim().replace(/\s+/g, ' ').toLocaleLowerCase('en-US');
}

/**
 * A friction log adds to no total: its minutes are summed from the records themselves,
 * of which there are few.
 */
export function contributionOfFriction(
  log: Pick<FrictionLog, 'team' | 'day'>,
): Contribution {
  return { team: log.team, day: log.day, totals: {} };
}

/** What of friction is asked about. */
export interface FrictionQuery {
  /** A team, or `ALL_TEAMS`. */
  readonly team: string;
  readonly period: Period;
  /** Categories at most. */
  readonly limit: number;
}

/** The friction of one category. */
export interface FrictionSum {
  readonly category: string;
  readonly entries: number;
  /** Different people, of the cycle that has the most. */
  readonly reporters: number;
  readonly timeLostMinutes: number;
  /** What people wrote, twenty texts at most, in no order. */
  readonly texts: readonly string[];
}

/**
 * Tells what costs a team most: from all records where nobody is hidden, else from those
 * that were released.
 */
export interface TopFriction {
  /** Ranks categories by time lost, then by how many reported them. */
  top(query: FrictionQuery): Promise<FrictionSum[]>;
}

/** Texts of one category at most. */
export const MOST_TEXTS = 20;

/** The costliest categories, the most reported first among equals. */
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
