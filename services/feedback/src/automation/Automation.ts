import type { FeedbackMetrics } from '../metrics.ts';
import type { Intent, IntentStore } from '../storage/IntentStore.ts';
import { draftIssue } from './draftIssue.ts';
import {
  type TrackedIssue,
  type Tracker,
  TrackerOutcomeUnknownError,
  TrackerRefusedError,
} from './Tracker.ts';

/** What one run did. */
export interface AutomationResult {
  /** Records that were taken up. */
  readonly processed: number;
  readonly created: readonly { feedbackId: string; issue: TrackedIssue }[];
  readonly errors: readonly {
    feedbackId: string;
    code: 'TRACKER_REFUSED' | 'TRACKER_UNAVAILABLE';
    message: string;
  }[];
}

/** What one record came to. */
type Outcome =
  | { kind: 'created'; issue: TrackedIssue }
  | { kind: 'left' }
  | { kind: 'failed'; error: AutomationResult['errors'][number] };

const BATCH = 50;
/** A run answers within the time that a request has, and goes on in the next one. */
const BUDGET_MS = 8_000;

/**
 * Turns validated feedback into issues, once each: a record is held by one worker at a
 * time, and whoever takes one that was tried before looks for its issue first.
 */
export class Automation {
  readonly #intents: IntentStore;
  readonly #tracker: Tracker;
  readonly #metrics: FeedbackMetrics;
  readonly #pagesUrl: string;
  readonly #now: () => number;

  /** @param options.pagesUrl - of the portal; issues link to it. */
  constructor(options: {
    intents: IntentStore;
    tracker: Tracker;
    metrics: FeedbackMetrics;
    pagesUrl: string;
    now: () => number;
  }) {
    this.#intents = options.intents;
    this.#tracker = options.tracker;
    this.#metrics = options.metrics;
    this.#pagesUrl = options.pagesUrl;
    this.#now = options.now;
  }

  /** Takes up what is validated, as far as the time of a request goes. */
  run(): Promise<AutomationResult> {
    return this.#metrics.timed('automation', () => this.#run());
  }

  async #run(): Promise<AutomationResult> {
    const started = this.#now();
    const result = {
      processed: await this.#intents.resume({ limit: BATCH }),
      created: [] as { feedbackId: string; issue: TrackedIssue }[],
      errors: [] as AutomationResult['errors'][number][],
    };
    const refused: string[] = [];
    while (
      result.processed < BATCH &&
      result.errors.every(({ code }) => code === 'TRACKER_REFUSED') &&
      this.#now() - started < BUDGET_MS
    ) {
      // One at a time: what a killed worker holds is one record.
      const intent = await this.#intents.lease({
        leaseMs: this.#tracker.settleMs,
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
      }
    }
    return result;
  }

  async #process(intent: Intent): Promise<Outcome> {
    try {
      const issue = await this.#findOrCreate(intent);
      const isOurs = await this.#intents.complete(intent, {
        ...issue,
        tracker: this.#tracker.name,
      });
      return isOurs ? { kind: 'created', issue } : { kind: 'left' };
    } catch (error) {
      return { kind: 'failed', error: await this.#fail(intent, error) };
    }
  }

  async #findOrCreate(intent: Intent): Promise<TrackedIssue> {
    const draft = draftIssue(intent.feedback, { pagesUrl: this.#pagesUrl });
    const earlier =
      intent.triedBefore &&
      (await this.#tracker.find(draft.marker, { since: intent.intendedAt }));
    return earlier || this.#tracker.create(draft);
  }

  async #fail(
    intent: Intent,
    error: unknown,
  ): Promise<AutomationResult['errors'][number]> {
    const feedbackId = intent.feedback.id;
    if (error instanceof TrackerRefusedError) {
      await this.#intents.release(intent);
      return { feedbackId, code: 'TRACKER_REFUSED', message: error.message };
    }
    if (error instanceof TrackerOutcomeUnknownError) {
      // Still held: an issue that is on its way must have time to show.
      return {
        feedbackId,
        code: 'TRACKER_UNAVAILABLE',
        message: error.message,
      };
    }
    throw error;
  }
}
