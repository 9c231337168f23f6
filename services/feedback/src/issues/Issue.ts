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
  /** The one who closed it, an entity reference. */
  readonly closedBy: string | null;
  /** The record that it was made of; null while that does not name the issue yet. */
  readonly feedback: {
    readonly id: string;
    readonly category: string;
    /** Its sender, where somebody vouches for one. */
    readonly author: string | null;
  } | null;
}

/** What a reader sees of an issue. */
export interface IssueView extends Pick<
  Issue,
  'number' | 'title' | 'state' | 'createdAt' | 'closedAt'
> {
  /** Markdown; null where the reader may not read the words of the sender. */
  readonly body: string | null;
  readonly closedBy: string | null;
  readonly feedbackId: string | null;
}

/**
 * What a reader sees of an issue. Its title and body are words of the sender, so who may
 * not read the feedback sees what the issue is about and how far it is.
 *
 * @param readsText - whether the reader may read the feedback.
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
