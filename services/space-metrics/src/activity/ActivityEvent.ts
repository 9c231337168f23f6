import type { LocalDay } from '../periods/LocalDay.ts';
import type {
  Contribution,
  Measure,
  Subject,
} from '../records/Contribution.ts';

/** What is counted; activity of another kind is rejected. */
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

/** How a build ended, in Jenkins' words; another word is rejected. */
export const BUILD_RESULTS = [
  'SUCCESS',
  'FAILURE',
  'UNSTABLE',
  'ABORTED',
] as const;
export type BuildResult = (typeof BUILD_RESULTS)[number];

/** Something that happened in another system. The same source and id is the same event. */
export interface ActivityEvent {
  readonly source: string;
  readonly id: string;
  readonly kind: Kind;
  /** Absent where nobody is known, e.g. of a chat counter. */
  readonly personHash?: string;
  readonly team: string;
  /** Milliseconds since 1970. */
  readonly occurredAt: number;
  readonly day: LocalDay;
  /** How many of the kind: 1, or the count of a counter. */
  readonly amount: number;
  /**
   * On how many people it rests at least. Of a person 1, or 0 where a forge alone says
   * who it was: whoever pushes a commit writes any name on it.
   */
  readonly people: number;
  /** How a build ended. */
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

/** What an event adds to the numbers of its team and day. */
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

/** Aborted builds say nothing of the code; unstable ones are not what was wanted. */
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

/** The first commit that is known of a person. */
export interface FirstCommit {
  readonly personHash: string;
  /** A number for the person that means nothing elsewhere. */
  readonly person: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Days since 1970-01-01 of the reporting zone's calendar. */
  readonly day: number;
  readonly team: string;
}
