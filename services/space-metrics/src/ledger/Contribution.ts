import type { LocalDay } from '../periods/LocalDay.ts';

/** What is summed up by team and day. Sums are of integers, so that they can be taken back. */
export type Measure =
  | 'survey.count'
  | 'survey.satisfaction'
  | 'survey.productivity'
  | 'survey.promoters'
  | 'survey.passives'
  | 'survey.detractors'
  | 'load.count'
  | 'load.index_thousandths'
  | 'activity.commits'
  | 'activity.prs_merged'
  | 'communication.pr_comments'
  | 'communication.docs_updates'
  | 'communication.chat_messages'
  | 'build.success'
  | 'build.finished';

/**
 * A set of numbers that are released together. Every row belongs to one subject alone:
 * were it released under two, what one hides could be taken from the other.
 */
export type Subject =
  | 'survey'
  | 'load'
  | 'activity'
  | 'collaboration'
  | 'chat'
  | `friction:${string}`;

/** Counters of the exposition: they never go down, whatever is erased. */
export type TallyName = 'records' | 'commits' | 'messages';

/** That somebody stands behind numbers of a day. */
export interface Presence {
  readonly subject: Subject;
  /** The number of a person, or {@link NOBODY_KNOWN}. */
  readonly person: number;
  /** How many people at least: 1 for a person. */
  readonly people: number;
}

/** Stands for people who are not told apart. */
export const NOBODY_KNOWN = 0;

/** What one record adds to the numbers of a team on a day. */
export interface Contribution {
  readonly team: string;
  readonly day: LocalDay;
  readonly totals: Partial<Record<Measure, number>>;
  readonly presence?: Presence;
  readonly tallies?: Partial<Record<TallyName, number>>;
}
