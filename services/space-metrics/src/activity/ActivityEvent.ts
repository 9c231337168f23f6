import type { LocalDay } from '../periods/LocalDay.ts';
import type {
  Contribution,
  Measure,
  Subject,
} from '../records/Contribution.ts';

/** The kinds of activity that are counted; any other kind is rejected. */
export const KINDS = [
  'commit',
  'pull_request_merged',
  'pull_request_comment',
  'review',
  'docs_update',
  'chat_message',
  'build',
] as const;
export type Kind = (typeof KINDS)[number];

/** The result of a build, in Jenkins' terms; any other result is rejected. */
export const BUILD_RESULTS = [
  'SUCCESS',
  'FAILURE',
  'UNSTABLE',
  'ABORTED',
] as const;
export type BuildResult = (typeof BUILD_RESULTS)[number];

/** An event in another system, identified by its source and id. */
export interface ActivityEvent {
  readonly source: string;
  readonly id: string;
  readonly kind: Kind;
  /** Missing if the person is unknown, e.g. for a chat counter. */
  readonly personHash?: string;
  readonly team: string;
  /** Milliseconds since 1970. */
  readonly occurredAt: number;
  readonly day: LocalDay;
  /** The number of events of this kind: 1, or the value of a counter. */
  readonly amount: number;
  /**
   * The minimum number of people who contributed: 1 for a person, or 0 if only a forge names the
   * person, because anyone who pushes a commit can put any name on it.
   */
  readonly people: number;
  /** The result of a build. */
  readonly result?: BuildResult;
}

const counted: Readonly<
  Record<Exclude<Kind, 'build'>, { measure: Measure; subject: Subject }>
> = {
  commit: { measure: 'activity.commits', subject: 'activity' },
  pull_request_merged: { measure: 'activity.prs_merged', subject: 'activity' },
  pull_request_comment: {
    measure: 'communication.pr_comments',
    subject: 'collaboration',
  },
  review: { measure: 'communication.pr_comments', subject: 'collaboration' },
  docs_update: {
    measure: 'communication.docs_updates',
    subject: 'collaboration',
  },
  chat_message: { measure: 'communication.chat_messages', subject: 'chat' },
};

/** Returns the contribution of an event to the numbers of its team and day. */
export function contributionOfEvent(
  event: Pick<ActivityEvent, 'kind' | 'team' | 'day' | 'amount' | 'result'>,
  person: number | undefined,
): Contribution {
  const { kind, team, day, amount } = event;
  if (kind === 'build') {
    return { team, day, totals: totalsOfBuild(event) };
  }
  const { measure, subject } = counted[kind];
  return {
    team,
    day,
    totals: { [measure]: amount },
    ...(person !== undefined && { presence: { subject, person } }),
    tallies: {
      ...(kind === 'commit' && { commits: amount }),
      ...(kind === 'chat_message' && { messages: amount }),
    },
  };
}

/**
 * Returns the contribution of a build to the totals. Aborted builds say nothing about the code;
 * unstable ones count as failed.
 */
function totalsOfBuild({
  result,
  amount,
}: Pick<ActivityEvent, 'result' | 'amount'>): Contribution['totals'] {
  if (result === undefined || result === 'ABORTED') {
    return {};
  }
  return {
    'build.finished': amount,
    ...(result === 'SUCCESS' && { 'build.success': amount }),
  };
}

/** The first known commit of a person. */
export interface FirstCommit {
  readonly personHash: string;
  /** The number that identifies the person in this database. */
  readonly person: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Days since 1970-01-01 in the reporting time zone. */
  readonly day: number;
  readonly team: string;
}
