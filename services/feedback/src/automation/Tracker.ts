import { withoutSlash } from '@slipway/service-kit';
import type { Issue } from '../issues/Issue.ts';
import type { IssueStore } from '../storage/IssueStore.ts';

/** The content of a new issue. */
export interface IssueDraft {
  /** Identifies the record that the issue is created for, so that the issue can be found again. */
  readonly marker: string;
  readonly title: string;
  /** Markdown, without the marker. */
  readonly body: string;
}

/** An issue of a tracker. */
export interface TrackedIssue {
  readonly number: number;
  /** The address of its page. */
  readonly url: string;
  readonly title: string;
}

/**
 * Thrown if the tracker certainly created nothing, so that another attempt need not search first.
 */
export class TrackerRefusedError extends Error {
  override readonly name = 'TrackerRefusedError';
  /**
   * True if the tracker would reject any issue at the moment, e.g. because of its credentials or a
   * rate limit.
   */
  readonly isForAll: boolean;

  constructor(
    message: string,
    options: { isForAll?: boolean; cause?: unknown } = {},
  ) {
    const { isForAll = false, cause } = options;
    super(message, { cause });
    this.isForAll = isForAll;
  }
}

/** Thrown if the tracker may have created an issue, which may take a while to appear. */
export class TrackerOutcomeUnknownError extends Error {
  override readonly name = 'TrackerOutcomeUnknownError';
}

/** A system that manages issues. */
export interface Tracker {
  readonly name: string;
  /**
   * Milliseconds after which an attempt has ended and its issue can be found. No other attempt is
   * made earlier.
   */
  readonly retryAfterMs: number;
  /**
   * Finds the issue with a marker, open or closed.
   *
   * @param options.since - the issue was created after this time; milliseconds since 1970.
   */
  find(
    marker: string,
    options: { since: number },
  ): Promise<TrackedIssue | undefined>;
  /**
   * Creates an issue.
   *
   * @throws TrackerRefusedError if certainly no issue was created.
   * @throws TrackerOutcomeUnknownError if an issue may have been created.
   * @throws RecordDeletedError if the tracker knows that the record has been deleted.
   */
  create(draft: IssueDraft): Promise<TrackedIssue>;
  /**
   * Returns the numbers of issues closed after a time, in milliseconds since the Unix epoch; some
   * may be returned again by later calls.
   */
  closedSince(since: number): Promise<number[]>;
}

/** The tracker included in the service. Its markers are unique, so it never creates duplicates. */
export class EmbeddedTracker implements Tracker {
  readonly name = 'embedded';
  /** Short, because no other system is involved; long enough for two runs to take turns. */
  readonly retryAfterMs = 1_000;
  readonly #issues: IssueStore;
  readonly #publicUrl: string;

  /** @param options.publicUrl - address of the service. */
  constructor(options: { issues: IssueStore; publicUrl: string }) {
    this.#issues = options.issues;
    this.#publicUrl = withoutSlash(options.publicUrl);
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
