import {
  ConflictError,
  InvalidRequestError,
  NotFoundError,
} from '@slipway/service-kit';
import type { FeedbackMetrics } from '../metrics.ts';
import type { Screenshot } from '../screenshots/Screenshot.ts';
import {
  inferRating,
  priorityOf,
  sentimentOf,
} from '../sentiment/sentimentOf.ts';
import type { FeedbackDeletion } from '../storage/FeedbackDeletion.ts';
import type { FeedbackStore } from '../storage/FeedbackStore.ts';
import {
  createFeedbackId,
  type Feedback,
  type Sender,
  type Source,
  type Status,
} from './Feedback.ts';

/** Feedback as submitted. */
export interface Submission {
  /** 1 to 5; inferred from the message if missing. */
  readonly rating?: number;
  readonly category: string;
  readonly message: string;
  readonly page?: string;
  readonly component?: string;
  /** Milliseconds since the Unix epoch. */
  readonly occurredAt?: number;
  readonly sender: Sender;
  readonly source: Source;
  readonly screenshot?: Screenshot;
  /**
   * Identifies the message that it came from; another submission with the same key is the same
   * feedback.
   */
  readonly sourceKey?: string;
}

/** Dependencies of {@link FeedbackDesk}. */
interface FeedbackDeskOptions {
  store: FeedbackStore;
  deletion: FeedbackDeletion;
  categories: readonly string[];
  metrics: FeedbackMetrics;
  now: () => number;
}

/** Accepts feedback, changes its status and deletes it. */
export class FeedbackDesk {
  readonly #options: FeedbackDeskOptions;

  constructor(options: FeedbackDeskOptions) {
    this.#options = options;
  }

  /**
   * Stores feedback, with a sentiment, a priority and, if it has none, a rating inferred from its
   * text. Omits the screenshot if there is no space for it.
   *
   * @returns the record, or the existing one if the message was stored before.
   * @throws InvalidRequestError if the category is unknown.
   */
  submit(submission: Submission): Promise<Feedback> {
    return this.#options.metrics.timed('submit', () =>
      this.#submit(submission),
    );
  }

  /**
   * Reads a record.
   *
   * @throws NotFoundError if the record does not exist.
   */
  async read(id: string): Promise<Feedback> {
    return found(await this.#options.store.find(id));
  }

  /**
   * Changes the status of a record.
   *
   * @param change.seenReplies - the number of replies that the admin has seen; all if undefined.
   * @throws NotFoundError if the record does not exist.
   */
  async changeStatus(
    id: string,
    change: { to: Status; notes: string; actor: string; seenReplies?: number },
  ): Promise<Feedback> {
    return found(
      await this.#options.store.changeStatus(id, {
        ...change,
        at: this.#options.now(),
      }),
    );
  }

  /**
   * Deletes a record, which its sender may do until someone acts on it.
   *
   * @param options.isAdmin - whether the caller may triage, and may therefore delete any record.
   * @throws NotFoundError if the record does not exist.
   * @throws ConflictError if someone has acted on it and the caller is not an admin.
   */
  async delete(id: string, { isAdmin }: { isAdmin: boolean }): Promise<void> {
    const isDeleted = found(
      await this.#options.deletion.delete(id, { unlessActedOn: !isAdmin }),
    );
    if (!isDeleted) {
      throw new ConflictError(
        'Somebody has acted on this feedback: only an admin can delete it',
      );
    }
  }

  async #submit(submission: Submission): Promise<Feedback> {
    const { category, message, rating, screenshot, sourceKey } = submission;
    if (!this.#options.categories.includes(category)) {
      throw new InvalidRequestError(
        `category must be one of ${this.#options.categories.join(', ')}`,
        { field: 'category', constraint: 'enum' },
      );
    }
    const now = this.#options.now();
    const sentiment = sentimentOf(message, rating);
    const feedback: Feedback = {
      id: createFeedbackId(),
      rating: rating ?? inferRating(sentiment),
      ratingInferred: rating === undefined,
      category,
      message,
      page: submission.page ?? null,
      component: submission.component ?? componentOf(submission.page) ?? null,
      occurredAt: submission.occurredAt ?? now,
      sender: submission.sender,
      source: submission.source,
      sentiment,
      priority: priorityOf(message, sentiment),
      status: 'new',
      createdAt: now,
      updatedAt: now,
      screenshotType: screenshot?.type ?? null,
      issue: null,
      replyCount: 0,
      awaitsReply: false,
      votes: 0,
      voting: null,
      mergedInto: null,
    };
    const stored = await this.#options.store.add(feedback, {
      screenshot,
      sourceKey,
    });
    if (stored.id === feedback.id) {
      this.#options.metrics.submitted(stored);
      if (screenshot && stored.screenshotType === null) {
        this.#options.metrics.screenshotDropped();
      }
    }
    return stored;
  }
}

function found<T>(feedback: T | undefined): T {
  if (feedback === undefined) {
    throw new NotFoundError('Feedback not found');
  }
  return feedback;
}

const NAME = /^[\w.-]{1,63}$/;

/** Returns the component whose page feedback was sent from, as an entity reference. */
function componentOf(page = ''): string | undefined {
  const segments = page.split(/[?#]/, 1)[0].split('/');
  const at = segments.indexOf('catalog');
  const [namespace = '', kind, name = ''] = segments.slice(at + 1);
  return at >= 0 &&
    kind === 'component' &&
    NAME.test(namespace) &&
    NAME.test(name)
    ? `component:${namespace}/${name}`.toLocaleLowerCase('en-US')
    : undefined;
}
