import type { PortalClient, ServiceKit } from '@slipway/service-kit';
import type { Notice, NoticeStore } from '../storage/NoticeStore.ts';

/** Sends a notification to a user of the portal. */
export interface Notifier {
  /** The same `scope` again takes the place of the earlier notification. */
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
/** About three days: by then nobody wonders any more. */
const ATTEMPTS = 80;
const EXCERPT_LENGTH = 100;

/** Tells senders that their feedback is resolved: at least once, and shown once. */
export class SenderNotices {
  readonly #store: NoticeStore;
  readonly #notifier: Notifier;
  readonly #logger: Pick<ServiceKit['logger'], 'info' | 'warn'>;
  readonly #now: () => number;
  #failing = false;

  constructor(options: {
    store: NoticeStore;
    notifier: Notifier;
    logger: Pick<ServiceKit['logger'], 'info' | 'warn'>;
    now: () => number;
  }) {
    this.#store = options.store;
    this.#notifier = options.notifier;
    this.#logger = options.logger;
    this.#now = options.now;
  }

  /**
   * Sends what is due. What fails is tried again later.
   *
   * @returns how many were told.
   */
  async send(): Promise<number> {
    let told = 0;
    const due = await this.#store.lease({
      now: this.#now(),
      leaseMs: LEASE_MS,
      limit: AT_ONCE,
    });
    for (const notice of due) {
      if (await this.#tell(notice)) {
        await this.#store.remove(notice.feedbackId);
        told += 1;
      } else {
        await this.#putOff(notice);
      }
    }
    return told;
  }

  /** Logs the first failure of an outage, and its end: what is tried often is not news. */
  async #tell({ feedbackId, author, message }: Notice): Promise<boolean> {
    try {
      await this.#notifier.send({
        user: author,
        title: 'Your feedback is resolved',
        description: excerptOf(message),
        link: `/feedback/mine/${feedbackId}`,
        scope: `feedback:${feedbackId}`,
      });
    } catch (error) {
      if (!this.#failing) {
        this.#failing = true;
        this.#logger.warn(
          { err: error },
          'Senders cannot be told that theirs is resolved, tries again',
        );
      }
      return false;
    }
    if (this.#failing) {
      this.#failing = false;
      this.#logger.info('Senders are told again');
    }
    return true;
  }

  async #putOff({ feedbackId, attempts }: Notice): Promise<void> {
    if (attempts >= ATTEMPTS) {
      await this.#store.remove(feedbackId);
      this.#logger.warn(
        { feedbackId },
        'The sender is not told that theirs is resolved, it was tried for days',
      );
      return;
    }
    const pause = Math.min(FIRST_PAUSE_MS * 2 ** attempts, LONGEST_PAUSE_MS);
    await this.#store.postpone(feedbackId, this.#now() + pause);
  }
}

function excerptOf(message: string): string {
  const characters = [...message.trim().replace(/\s+/g, ' ')];
  return characters.length > EXCERPT_LENGTH
    ? `${characters.slice(0, EXCERPT_LENGTH - 1).join('')}…`
    : characters.join('');
}

/** Sends notifications through the portal's own plugin. */
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
