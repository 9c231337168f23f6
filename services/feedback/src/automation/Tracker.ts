import type { Issue } from '../issues/Issue.ts';
import type { IssueStore } from '../storage/IssueStore.ts';

/** What is to become an issue. */
export interface IssueDraft {
  /** Names the one record that the issue is made of; the issue is found again by it. */
  readonly marker: string;
  readonly title: string;
  /** Markdown; the marker is not in it. */
  readonly body: string;
}

/** An issue of a tracker. */
export interface TrackedIssue {
  readonly number: number;
  /** The address of the page for people. */
  readonly url: string;
  readonly title: string;
}

/** The tracker took nothing: nothing has to be looked for before another attempt. */
export class TrackerRefusedError extends Error {
  override readonly name = 'TrackerRefusedError';
}

/** The tracker may have taken it: if so, it may show only after a while. */
export class TrackerOutcomeUnknownError extends Error {
  override readonly name = 'TrackerOutcomeUnknownError';
}

/** A system that keeps issues. */
export interface Tracker {
  readonly name: string;
  /**
   * Milliseconds after which whatever was begun has ended and can be found. No other
   * attempt is made before.
   */
  readonly settleMs: number;
  /**
   * The issue with a marker, open or closed.
   *
   * @param options.since - it was made after this; milliseconds since 1970.
   */
  find(
    marker: string,
    options: { since: number },
  ): Promise<TrackedIssue | undefined>;
  /**
   * @throws TrackerRefusedError when there is surely no issue.
   * @throws TrackerOutcomeUnknownError when there may be one.
   */
  create(draft: IssueDraft): Promise<TrackedIssue>;
  /** Numbers of issues that were closed after a time; some may be told again. */
  closedSince(since: number): Promise<number[]>;
}

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
