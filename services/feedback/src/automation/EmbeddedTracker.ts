import type { Issue } from '../issues/Issue.ts';
import type { IssueStore } from '../storage/IssueStore.ts';
import type { IssueDraft, TrackedIssue, Tracker } from './Tracker.ts';

/** The tracker that comes with the service. Its markers are unique, so it makes nothing twice. */
export class EmbeddedTracker implements Tracker {
  readonly name = 'embedded';
  /** Nothing is under way in another system; long enough that two runs take turns. */
  readonly settleMs = 1_000;
  readonly #issues: IssueStore;
  readonly #publicUrl: string;

  /** @param options.publicUrl - of the service. */
  constructor(options: { issues: IssueStore; publicUrl: string }) {
    this.#issues = options.issues;
    this.#publicUrl = options.publicUrl.replace(/(?<!\/)\/+$/, '');
  }

  async find(marker: string): Promise<TrackedIssue | undefined> {
    const issue = await this.#issues.findByMarker(marker);
    return issue && this.#present(issue);
  }

  async create(draft: IssueDraft): Promise<TrackedIssue> {
    return this.#present(await this.#issues.ensure(draft));
  }

  closedSince(since: number): Promise<number[]> {
    return this.#issues.closedSince(since);
  }

  #present({ number, title }: Pick<Issue, 'number' | 'title'>): TrackedIssue {
    return { number, title, url: `${this.#publicUrl}/issues/${number}` };
  }
}
