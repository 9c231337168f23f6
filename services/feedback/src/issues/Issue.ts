/** Prefix of the markers of issues for feedback; other services choose other prefixes. */
export const FEEDBACK_MARKER = 'slipway-feedback:';

/** Returns the marker of the issue for a record. */
export function markerOf(feedbackId: string): string {
  return `${FEEDBACK_MARKER} ${feedbackId}`;
}

/** Returns the id of the record in a marker; undefined if the issue is not about feedback. */
export function feedbackIdIn(marker: string): string | undefined {
  const start = markerOf('');
  return marker.startsWith(start) ? marker.slice(start.length) : undefined;
}

export const ISSUE_STATES = ['open', 'closed'] as const;
export type IssueState = (typeof ISSUE_STATES)[number];

/** An issue of the embedded tracker. Times are milliseconds since the Unix epoch. */
export interface Issue {
  readonly number: number;
  readonly title: string;
  /** Markdown. */
  readonly body: string;
  readonly state: IssueState;
  readonly createdAt: number;
  readonly closedAt: number | null;
  /** The user who closed it, as an entity reference. */
  readonly closedBy: string | null;
  /** False for an issue that another service opened, which is not about feedback. */
  readonly quotesFeedback: boolean;
  /** The record that the issue was created for; null until the record refers to the issue. */
  readonly feedback: {
    readonly id: string;
    readonly category: string;
    /** Its sender, if authenticated. */
    readonly author: string | null;
  } | null;
}

/** An issue as a caller sees it. */
export interface IssueView extends Pick<
  Issue,
  'number' | 'title' | 'state' | 'createdAt' | 'closedAt'
> {
  /** Markdown; null if the caller may not read the sender's message. */
  readonly body: string | null;
  readonly closedBy: string | null;
  readonly feedbackId: string | null;
}

/**
 * Creates a caller's view of an issue. Its title and body contain the sender's message, so callers
 * who may not read the feedback only see the subject and the state.
 *
 * @param readsText - whether the caller may read the feedback.
 */
export function viewOf(issue: Issue, readsText: boolean): IssueView {
  const { number, state, createdAt, closedAt, feedback } = issue;
  const facts = { number, state, createdAt, closedAt };
  return readsText
    ? {
        ...facts,
        title: issue.title,
        body: issue.body,
        closedBy: issue.closedBy,
        feedbackId: feedback?.id ?? null,
      }
    : {
        ...facts,
        title: feedback ? `Feedback on ${feedback.category}` : 'Feedback',
        body: null,
        closedBy: null,
        feedbackId: null,
      };
}

/** Thrown if the record of an issue has been deleted meanwhile, and nothing was created. */
export class RecordDeletedError extends Error {
  override readonly name = 'RecordDeletedError';
}
