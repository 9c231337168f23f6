import type { Contribution } from '../ledger/Contribution.ts';
import type { Attributed } from '../people/Attribution.ts';

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
