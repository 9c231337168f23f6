import type { NoticeStore } from './NoticeStore.ts';

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

/** Tells senders that theirs is resolved: at least once, and shown once. */
export class SenderNotices {
  readonly #store: NoticeStore;
  readonly #notifier: Notifier;
  readonly #now: () => number;

  constructor(options: {
    store: NoticeStore;
    notifier: Notifier;
    now: () => number;
  }) {
    this.#store = options.store;
    this.#notifier = options.notifier;
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
    for (const { feedbackId, author, message, attempts } of due) {
      try {
        await this.#notifier.send({
          user: author,
          title: 'Your feedback is resolved',
          description: excerptOf(message),
          link: `/feedback/mine/${feedbackId}`,
          scope: `feedback:${feedbackId}`,
        });
        await this.#store.remove(feedbackId);
        told += 1;
      } catch {
        await this.#putOff(feedbackId, attempts);
      }
    }
    return told;
  }

  async #putOff(feedbackId: string, attempts: number): Promise<void> {
    if (attempts >= ATTEMPTS) {
      await this.#store.remove(feedbackId);
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
