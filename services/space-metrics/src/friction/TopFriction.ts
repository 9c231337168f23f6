import type { Period } from '../periods/Period.ts';

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
  /** By time lost, then by how many reported it. */
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
