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
  /** Who closed it, an entity reference. */
  readonly closedBy: string | null;
  /** The record that it was made of. */
  readonly feedbackId: string | null;
}
