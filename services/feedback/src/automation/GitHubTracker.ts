import { Octokit } from '@octokit/rest';
import { isoOf } from '@slipway/entity-contract';
import { withoutSlash } from '@slipway/service-kit';
import {
  type IssueDraft,
  type TrackedIssue,
  type Tracker,
  TrackerOutcomeUnknownError,
  TrackerRefusedError,
} from './Tracker.ts';

/** The time limit of a request. */
const TIMEOUT_MS = 10_000;
/** Time after which a search requests no further page. */
const SEARCH_MS = 10_000;
/** Allowance in milliseconds for lists that lag behind writes, and for clocks that differ. */
const LAG_MS = 10_000;
const SKEW_MS = 5 * 60_000;

/** GitHub's status for an invalid issue. */
const UNPROCESSABLE = 422;

interface ListedIssue {
  number: number;
  html_url: string;
  title: string;
  body?: string | null;
  pull_request?: unknown;
}

/**
 * Creates issues in a GitHub repository. GitHub has no idempotency keys, so the marker is a comment
 * at the start of the body; a search lists the issues with the label and looks for it.
 */
export class GitHubTracker implements Tracker {
  readonly name = 'github';
  /** The last page of a search and the creation may each take the full timeout. */
  readonly retryAfterMs = SEARCH_MS + 2 * TIMEOUT_MS + LAG_MS;
  readonly #octokit: Octokit;
  readonly #repository: { owner: string; repo: string };
  readonly #label: string;

  constructor(options: {
    owner: string;
    repository: string;
    token: string;
    baseUrl: string;
    label: string;
  }) {
    this.#repository = { owner: options.owner, repo: options.repository };
    this.#label = options.label;
    this.#octokit = new Octokit({
      auth: options.token,
      baseUrl: withoutSlash(options.baseUrl),
      userAgent: 'slipway-feedback',
      log: { debug() {}, info() {}, warn() {}, error() {} },
    });
    // Set here because the iterator over pages drops the options of requests.
    this.#octokit.hook.before('request', sent => {
      sent.request = {
        ...sent.request,
        signal: AbortSignal.timeout(TIMEOUT_MS),
      };
    });
  }

  async find(
    marker: string,
    { since }: { since: number },
  ): Promise<TrackedIssue | undefined> {
    const comment = commentOf(marker);
    const started = performance.now();
    for await (const issues of this.#pages({
      state: 'all',
      since,
      direction: 'desc',
    })) {
      const found = issues.find(({ body }) => body?.startsWith(comment));
      if (found) {
        return toIssue(found);
      }
      if (performance.now() - started > SEARCH_MS) {
        throw new TrackerOutcomeUnknownError('GitHub is slow to list issues');
      }
    }
    return undefined;
  }

  async create({ marker, title, body }: IssueDraft): Promise<TrackedIssue> {
    try {
      const { data } = await this.#octokit.rest.issues.create({
        ...this.#repository,
        title,
        body: `${commentOf(marker)}\n${body}`,
        labels: [this.#label],
      });
      return toIssue(data);
    } catch (error) {
      throw toTrackerError(error);
    }
  }

  async closedSince(since: number): Promise<number[]> {
    const numbers: number[] = [];
    for await (const issues of this.#pages({
      state: 'closed',
      since,
      direction: 'desc',
    })) {
      numbers.push(...issues.map(({ number }) => number));
    }
    return numbers;
  }

  /**
   * Yields the issues with our label page by page, including pull requests, which GitHub lists as
   * issues.
   */
  async *#pages(options: {
    state: 'all' | 'closed';
    since: number;
    direction: 'asc' | 'desc';
  }): AsyncGenerator<ListedIssue[]> {
    const { since, ...rest } = options;
    const pages = this.#octokit.paginate.iterator(
      this.#octokit.rest.issues.listForRepo,
      {
        ...this.#repository,
        ...rest,
        labels: this.#label,
        sort: 'created',
        since: isoOf(since - SKEW_MS),
        per_page: 100,
      },
    );
    try {
      for await (const { data } of pages) {
        yield data.filter(issue => !issue.pull_request);
      }
    } catch (error) {
      throw toTrackerError(error);
    }
  }
}

function commentOf(marker: string): string {
  return `<!-- ${marker} -->`;
}

function toIssue(issue: ListedIssue): TrackedIssue {
  return { number: issue.number, url: issue.html_url, title: issue.title };
}

/**
 * Converts an error. After a 4xx response, certainly nothing was created; after any other error,
 * the issue may exist.
 */
function toTrackerError(error: unknown): Error {
  const { status } = error as { status?: number };
  if (status !== undefined && status >= 400 && status < 500) {
    return new TrackerRefusedError(`GitHub answered ${status}`, {
      // Any other status is about the token, the repository or a rate limit.
      isForAll: status !== UNPROCESSABLE,
      cause: error,
    });
  }
  return new TrackerOutcomeUnknownError('GitHub is not responding', {
    cause: error,
  });
}
