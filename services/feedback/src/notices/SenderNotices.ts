import { scopeAbout } from '@slipway/entity-contract';
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

/** Sending a notification takes at most ten seconds, with its retry. */
const LEASE_MS = 60_000;
/** Maximum number of notifications of one run. */
const BATCH = 20;
const FIRST_PAUSE_MS = 5_000;
const LONGEST_PAUSE_MS = 3_600_000;
/** About three days; after that, a notification is no longer useful. */
const ATTEMPTS = 80;
const EXCERPT_LENGTH = 100;

/** Dependencies of {@link SenderNotices}. */
interface SenderNoticesOptions {
  feedback: FeedbackStore;
  notifier: Notifier;
  logger: Pick<ServiceKit['logger'], 'info' | 'warn'>;
  now: () => number;
}

/** Notifies senders that their feedback is resolved: sent at least once, displayed once. */
export class SenderNotices {
  #failing = false;
  readonly #options: SenderNoticesOptions;

  constructor(options: SenderNoticesOptions) {
    this.#options = options;
  }

  /**
   * Sends due notifications. Failures are retried later.
   *
   * @returns how many senders were notified.
   */
  async send(): Promise<number> {
    const { notices } = this.#options.feedback;
    let told = 0;
    for (let sent = 0; sent < BATCH; sent += 1) {
      // One at a time: the lease of the last of many would end before it is sent, and another
      // replica would send it as well.
      const [item] = await notices.lease({
        now: this.#options.now(),
        leaseMs: LEASE_MS,
        limit: 1,
      });
      if (!item) {
        break;
      }
      if (await this.#tell(item.id)) {
        await notices.complete(item, { now: this.#options.now() });
        told += 1;
      } else {
        await this.#putOff(item);
      }
    }
    return told;
  }

  /** Logs the first failure of an outage, and its end, but not every retry. */
  async #tell(feedbackId: string): Promise<boolean> {
    const feedback = await this.#options.feedback.find(feedbackId);
    const user = feedback?.sender.author;
    // Reopened in the meantime, if it is not resolved.
    if (!user || feedback?.status !== 'resolved') {
      return true;
    }
    try {
      await this.#options.notifier.send({
        user,
        title: 'Your feedback is resolved',
        description: excerptOf(feedback.message),
        link: `/feedback/mine/${feedbackId}`,
        scope: scopeAbout(
          componentIn(feedback.component),
          `feedback:${feedbackId}`,
        ),
      });
    } catch (error) {
      if (!this.#failing) {
        this.#failing = true;
        this.#options.logger.warn(
          { err: error },
          'Senders cannot be notified that their feedback is resolved, trying again',
        );
      }
      return false;
    }
    if (this.#failing) {
      this.#failing = false;
      this.#options.logger.info('Senders are notified again');
    }
    return true;
  }

  async #putOff(item: LeasedItem<object>): Promise<void> {
    const { id: feedbackId, attempts } = item;
    const now = this.#options.now();
    if (attempts >= ATTEMPTS) {
      await this.#options.feedback.notices.fail(item, { now });
      this.#options.logger.warn(
        { feedbackId },
        'Gave up notifying a sender of resolved feedback, after days',
      );
      return;
    }
    const pause = Math.min(FIRST_PAUSE_MS * 2 ** attempts, LONGEST_PAUSE_MS);
    await this.#options.feedback.notices.retry(item, { at: now + pause });
  }
}

const COMPONENT = /^component:[\w.-]{1,63}\/[\w.-]{1,63}$/;

/** Returns the entity reference that a sender named as the component, if it is one. */
function componentIn(component: string | null): string | undefined {
  const ref = component?.toLocaleLowerCase('en-US') ?? '';
  return COMPONENT.test(ref) ? ref : undefined;
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
