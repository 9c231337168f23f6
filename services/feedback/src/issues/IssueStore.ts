import type { Issue, IssueState } from './Issue.ts';

/** Where the embedded tracker keeps its issues. */
export interface IssueStore {
  /** The issue with the draft's marker; made where there is none. */
  ensure(draft: {
    marker: string;
    title: string;
    body: string;
  }): Promise<Pick<Issue, 'number' | 'title'>>;
  findByMarker(
    marker: string,
  ): Promise<Pick<Issue, 'number' | 'title'> | undefined>;
  find(number: number): Promise<Issue | undefined>;
  /** Newest first. */
  list(options: {
    state?: IssueState;
    page: number;
    size: number;
  }): Promise<{ issues: Issue[]; total: number }>;
  /** @returns undefined when there is no such issue. */
  changeState(
    number: number,
    change: { state: IssueState; by: string },
  ): Promise<Issue | undefined>;
  closedSince(since: number): Promise<number[]>;
}
