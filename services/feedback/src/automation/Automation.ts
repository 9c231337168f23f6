import type { Feedback } from '../feedback/Feedback.ts';
import { markerOf, RecordDeletedError } from '../issues/Issue.ts';
import type { FeedbackMetrics } from '../metrics.ts';
import type { Intent, TrackedFeedback } from '../storage/TrackedFeedback.ts';
import {
  type IssueDraft,
  type TrackedIssue,
  type Tracker,
  TrackerOutcomeUnknownError,
  TrackerRefusedError,
} from './Tracker.ts';

/** The result of a run. */
export interface AutomationResult {
  /** Number of records that were processed. */
  readonly processed: number;
  readonly created: readonly { feedbackId: string; issue: TrackedIssue }[];
  readonly errors: readonly {
    feedbackId: string;
    code: 'TRACKER_REFUSED' | 'TRACKER_UNAVAILABLE';
    message: string;
  }[];
}

/** The result for one record. */
type Outcome =
  | { kind: 'created'; issue: TrackedIssue }
  | { kind: 'left' }
  | {
      kind: 'failed';
      error: AutomationResult['errors'][number];
      /** True if the tracker would fail for other records too. */
      endsRun: boolean;
    };

const BATCH = 50;
/** Milliseconds after which a run ends, within the time limit of a request; the next one continues. */
const BUDGET_MS = 8_000;

/** Dependencies of {@link Automation}. */
interface AutomationOptions {
  feedback: TrackedFeedback;
  tracker: Tracker;
  metrics: FeedbackMetrics;
  /** Address of the portal's pages, which issues link to. */
  pagesUrl: string;
  now: () => number;
}

/**
 * Creates issues for validated feedback, one per record: a record is leased by one worker at a
 * time, and for one that was attempted before, the tracker is first searched for its issue.
 */
export class Automation {
  readonly #options: AutomationOptions;

  constructor(options: AutomationOptions) {
    this.#options = options;
  }

  /**
   * Processes validated feedback, as much as the time limit of a request allows.
   *
   * @param only - the id of the only record to process; all if undefined.
   */
  run(only?: string): Promise<AutomationResult> {
    return this.#options.metrics.timed('automation', () => this.#run(only));
  }

  async #run(only: string | undefined): Promise<AutomationResult> {
    const started = this.#options.now();
    const result = {
      processed: await this.#options.feedback.resume({ limit: BATCH, only }),
      created: [] as { feedbackId: string; issue: TrackedIssue }[],
      errors: [] as AutomationResult['errors'][number][],
    };
    const refused: string[] = [];
    let isOver = false;
    while (
      !isOver &&
      result.processed < BATCH &&
      this.#options.now() - started < BUDGET_MS
    ) {
      // One at a time, so that a killed worker blocks only a single record.
      const intent = await this.#options.feedback.lease({
        leaseMs: this.#options.tracker.retryAfterMs,
        only,
        except: refused,
      });
      if (!intent) {
        break;
      }
      result.processed += 1;
      const feedbackId = intent.feedback.id;
      const outcome = await this.#process(intent);
      if (outcome.kind === 'created') {
        result.created.push({ feedbackId, issue: outcome.issue });
      } else if (outcome.kind === 'failed') {
        result.errors.push(outcome.error);
        refused.push(feedbackId);
        isOver = outcome.endsRun;
      }
    }
    return result;
  }

  async #process(intent: Intent): Promise<Outcome> {
    try {
      const issue = await this.#findOrCreate(intent);
      const isOurs = await this.#options.feedback.complete(intent, {
        ...issue,
        tracker: this.#options.tracker.name,
      });
      return isOurs ? { kind: 'created', issue } : { kind: 'left' };
    } catch (error) {
      return this.#fail(intent, error);
    }
  }

  async #findOrCreate(intent: Intent): Promise<TrackedIssue> {
    const draft = draftIssue(intent.feedback, {
      pagesUrl: this.#options.pagesUrl,
    });
    const earlier =
      intent.item.attempts > 1 &&
      (await this.#options.tracker.find(draft.marker, {
        since: intent.item.createdAt,
      }));
    return earlier || this.#options.tracker.create(draft);
  }

  async #fail(intent: Intent, error: unknown): Promise<Outcome> {
    const feedbackId = intent.feedback.id;
    if (error instanceof TrackerRefusedError) {
      const { message, isForAll } = error;
      await this.#options.feedback.release(intent);
      return {
        kind: 'failed',
        error: { feedbackId, code: 'TRACKER_REFUSED', message },
        endsRun: isForAll,
      };
    }
    if (error instanceof TrackerOutcomeUnknownError) {
      const { message } = error;
      // Keeps the lease, so that an issue that may have been created has time to appear.
      return {
        kind: 'failed',
        error: { feedbackId, code: 'TRACKER_UNAVAILABLE', message },
        endsRun: true,
      };
    }
    if (error instanceof RecordDeletedError) {
      return { kind: 'left' };
    }
    throw error;
  }
}

const TITLE_LENGTH = 80;

/**
 * Drafts the issue for a record. It omits the sender, because more people can read the tracker than
 * may triage. The message is in a code block, where it cannot mention users or close issues.
 *
 * @param options.pagesUrl - address of the portal's pages.
 */
function draftIssue(
  feedback: Feedback,
  options: { pagesUrl: string },
): IssueDraft {
  const { id, message, category, rating, sentiment, priority, page } = feedback;
  const fence = '`'.repeat(Math.max(3, longestRun(message) + 1));
  const link = `${options.pagesUrl}/feedback/triage/${id}`;
  return {
    marker: markerOf(id),
    title: titleOf(message),
    body: [
      `${fence}text\n${message}\n${fence}`,
      [
        `Category: ${category}`,
        `Rating: ${rating} of 5${feedback.ratingInferred ? ' (guessed)' : ''}`,
        `Sentiment: ${sentiment}`,
        `Priority: ${priority}`,
        ...(page ? [`Page: \`${page.replace(/[`\r\n]/g, ' ')}\``] : []),
        `Feedback: ${link}`,
      ]
        .map(line => `- ${line}`)
        .join('\n'),
    ].join('\n\n'),
  };
}

/**
 * Returns the first line without anything that a tracker would treat as a mention or a reference.
 */
function titleOf(message: string): string {
  const [line] = message.trim().split(/[\r\n]/, 1);
  const plain = line.replace(/([@#])(?=\w)/g, '$1\u200b').trim();
  const characters = [...plain];
  return characters.length > TITLE_LENGTH
    ? `${characters
        .slice(0, TITLE_LENGTH - 1)
        .join('')
        .trimEnd()}…`
    : plain;
}

function longestRun(message: string): number {
  return (message.match(/`+/g) ?? []).reduce(
    (longest, run) => Math.max(longest, run.length),
    0,
  );
}
