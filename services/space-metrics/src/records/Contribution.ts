import type { LocalDay } from '../periods/LocalDay.ts';

/**
 * A value that is summed by team and day. Sums are integers, so that contributions can be
 * subtracted again.
 */
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
 * A set of numbers that are released together. Every row belongs to one subject: if it were
 * released under two, the numbers hidden in one could be derived from the other.
 */
export type Subject = 'survey' | 'load' | 'activity' | 'collaboration' | 'chat';

/** Counters of the exposition, which never decrease, even if data is deleted. */
export type TallyName =
  'records' | 'commits' | 'messages' | 'released_commits' | 'released_messages';

/** States that a person contributed to the numbers of a day. */
interface Presence {
  readonly subject: Subject;
  /** The number of the person. */
  readonly person: number;
}

/** The amounts that one record adds to the numbers of a team on a day. */
export interface Contribution {
  readonly team: string;
  readonly day: LocalDay;
  readonly totals: Partial<Record<Measure, number>>;
  /** Missing if the person is unknown, e.g. for a chat counter. */
  readonly presence?: Presence;
  readonly tallies?: Partial<Record<TallyName, number>>;
}
