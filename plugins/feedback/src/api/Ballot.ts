import type { PageOf, Status } from './FeedbackApi';

/** What every user may see of feedback that is open for voting. Times are ISO 8601. */
export interface Ballot {
  id: string;
  /** The wish in the words of those who triage. */
  title: string;
  category: string;
  status: Status;
  votes: number;
  /** True if the user has voted for it. */
  hasVoted: boolean;
  /** False if it was closed, resolved, archived or merged. */
  isOpen: boolean;
  openedAt: string;
  /** The id of the feedback that it is a duplicate of; null if it is none. */
  mergedInto: string | null;
}

/** The filters of what is open for voting; an empty string matches anything. */
export interface BallotFilter {
  q: string;
  category: string;
  /** `votes`, or `newest`. */
  sort: string;
  /** `true` for what the user has voted for, even if it is closed. */
  voted: string;
}

/** A page of a list whose order may depend on votes. */
export interface VotedPage<T> extends PageOf<T> {
  /** The time until which votes count for the order; undefined if it does not depend on them. */
  votesUntil?: string;
}

/** A user who has voted. */
export interface Voter {
  /** An entity reference. */
  user: string;
  /** ISO 8601. */
  votedAt: string;
}

/** Feedback that is open for voting in the service's format. */
export interface BallotAnswer {
  id: string;
  title: string;
  category: string;
  status: Status;
  votes: number;
  voted: boolean;
  open: boolean;
  opened_at: string;
  /** Missing if it is no duplicate. */
  merged_into?: string;
}

export function readBallot(answer: BallotAnswer): Ballot {
  const { id, title, category, status, votes } = answer;
  return {
    id,
    title,
    category,
    status,
    votes,
    hasVoted: answer.voted,
    isOpen: answer.open,
    openedAt: answer.opened_at,
    mergedInto: answer.merged_into ?? null,
  };
}
