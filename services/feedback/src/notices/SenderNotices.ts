import type {
  LeasedItem,
  PortalClient,
  ServiceKit,
} from '@slipway/service-kit';
import type { FeedbackStore } from '../storage/FeedbackStore.ts';

/** Sends a notification to a user of the portal. */
export interface Notifier {
  /** A notification with the same `scope` replaces the earlier one. */
  send(notification: {
    user: string;
    title: string;
    description: string;
    link: string;
    scope: string;
  }): Promise<void>;
}

const LEASE_MS = 60_000;
const AT_ONCE = 20;
const FIRST_PAUSE_MS = 5_000;
const LONGEST_PAUSE_MS = 3_600_000;
/** About three days; after that, a notification is no longer useful. */
const ATTEMPTS = 80;
const EXCERPT_LENGTH = 100;

/** Notifies senders that their feedback is resolved: sent at least once, displayed once. */
export class SenderNotices {
  readonly #feedback: FeedbackStore;
  readonly #notifier: Notifier;
  readonly #logger: Pick<ServiceKit['logger'], 'info' | 'warn'>;
  readonly #now: () => number;
  #failing = false;

  constructor(options: {
    feedback: FeedbackStore;
    notifier: Notifier;
    logger: Pick<ServiceKit['logger'], 'info' | 'warn'>;
    now: () => number;
  }) {
    this.#feedback = options.feedback;
    this.#notifier = options.notifier;
    this.#logger = options.logger;
    this.#now = options.now;
  }

  /**
   * Sends due notifications. Failures are retried later.
   *
   * @returns how many senders were notified.
   */
  async send(): Promise<number> {
    let told = 0;
    const due = await this.#feedback.notices.lease({
      now: this.#now(),
      leaseMs: LEASE_MS,
      limit: AT_ONCE,
    });
    for (const item of due) {
      if (await this.#tell(item.id)) {
        await this.#feedback.notices.complete(item, { now: this.#now() });
        told += 1;
      } else {
        await this.#putOff(item);
      }
    }
    return told;
  }

  /** Logs the first failure of an outage, and its end, but not every retry. */
  async #tell(feedbackId: string): Promise<boolean> {
    const feedback = await this.#feedback.find(feedbackId);
    const user = feedback?.sender.author;
    if (!feedback || !user) {
      return true;
    }
    try {
      await this.#notifier.send({
        user,
        title: 'Your feedback is resolved',
        description: excerptOf(feedback.message),
        link: `/feedback/mine/${feedbackId}`,
        scope: `feedback:${feedbackId}`,
      });
    } catch (error) {
      if (!this.#failing) {
        this.#failing = true;
        this.#logger.warn(
          { err: error },
          'Senders cannot be notified that their feedback is resolved, trying again',
        );
      }
      return false;
    }
    if (this.#failing) {
      this.#failing = false;
      this.#logger.info('Senders are notified again');
    }
    return true;
  }

  async #putOff(item: LeasedItem<object>): Promise<void> {
    const { id: feedbackId, attempts } = item;
    const now = this.#now();
    if (attempts >= ATTEMPTS) {
      await this.#feedback.notices.fail(item, { now });
      this.#logger.warn(
        { feedbackId },
        'Gave up notifying a sender of resolved feedback, after days',
      );
      return;
    }
    const pause = Math.min(FIRST_PAUSE_MS * 2 ** attempts, LONGEST_PAUSE_MS);
    await this.#feedback.notices.retry(item, { at: now + pause });
  }
}

function excerptOf(message: string): string {
  const characters = [...message.trim().replace(/\s+/g, ' ')];
  return characters.length > EXCERPT_LENGTH
    ? `${characters.slice(0, EXCERPT_LENGTH - 1).join('')}…`
    : characters.join('');
}

/** Sends notifications through the portal's notifications plugin. */
export function portalNotifier(portal: PortalClient): Notifier {
  return {
    async send({ user, ...payload }) {
      await portal.post('/api/notifications/notifications', {
        recipients: { type: 'entity', entityRef: user },
        payload: { ...payload, severity: 'low', topic: 'Feedback' },
      });
    },
  };
}
