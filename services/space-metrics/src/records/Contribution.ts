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
export type Subject = 'survey' | 'load' | 'activity' | 'collaboration' | 'chat';

/** Counters of the exposition: they never go down, whatever is erased. */
export type TallyName =
  'records' | 'commits' | 'messages' | 'released_commits' | 'released_messages';

/** Says that a person stands behind numbers of a day. */
interface Presence {
  readonly subject: Subject;
  /** The number of the person. */
  readonly person: number;
}

/** What one record adds to the numbers of a team on a day. */
export interface Contribution {
  readonly team: string;
  readonly day: LocalDay;
  readonly totals: Partial<Record<Measure, number>>;
  /** Absent where nobody is known, e.g. of a chat counter. */
  readonly presence?: Presence;
  readonly tallies?: Partial<Record<TallyName, number>>;
}
