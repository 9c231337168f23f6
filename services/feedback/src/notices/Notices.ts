import type {
  LeasedItem,
  LeasedQueue,
  PortalClient,
  ServiceKit,
} from '@slipway/service-kit';

/** A notification for a user of the portal. */
export interface Notification {
  /** The user's entity reference. */
  readonly user: string;
  readonly title: string;
  readonly description: string;
  /** The path of a page of the portal. */
  readonly link: string;
  /** A notification with the same scope replaces the earlier one. */
  readonly scope: string;
}

/** Sends a notification to a user of the portal. */
export interface Notifier {
  send(notification: Notification): Promise<void>;
}

/** A queue of notices. The lane of an item is the id of its feedback. */
export interface NoticeSource {
  readonly queue: LeasedQueue<object>;
  /**
   * Creates the notification for an item. Returns undefined if it is no longer needed, or is about
   * something that happened before `since`, in milliseconds since the Unix epoch.
   */
  compose(id: string, since: number): Promise<Notification | undefined>;
}

/** Duration of a lease: longer than sending takes, which is at most ten seconds with its retry. */
const LEASE_MS = 60_000;
/** Maximum number of notifications per run and source. */
const BATCH = 20;
const FIRST_PAUSE_MS = 5_000;
const LONGEST_PAUSE_MS = 3_600_000;
/** Maximum attempts, over about three days; after that, a notification is no longer useful. */
const ATTEMPTS = 80;
/**
 * Maximum age of what a notification is about; longer than any downtime of the service. Older items
 * were waiting for a `portalToken`: once it is configured, users must not be notified of the whole
 * past.
 */
const USEFUL_MS = 30 * 24 * 3_600_000;

/** Dependencies of {@link Notices}. */
interface NoticesOptions {
  sources: readonly NoticeSource[];
  notifier: Notifier;
  logger: Pick<ServiceKit['logger'], 'info' | 'warn'>;
  now: () => number;
}

/**
 * Notifies users of changes to feedback. Each notification is sent at least once, and displayed
 * once.
 */
export class Notices {
  #failing = false;
  readonly #options: NoticesOptions;

  constructor(options: NoticesOptions) {
    this.#options = options;
  }

  /**
   * Sends due notifications; failed ones are retried later.
   *
   * @returns the number of completed items.
   */
  async send(): Promise<number> {
    let told = 0;
    for (const source of this.#options.sources) {
      told += await this.#sendFrom(source);
    }
    return told;
  }

  async #sendFrom(source: NoticeSource): Promise<number> {
    const { queue } = source;
    let told = 0;
    for (let sent = 0; sent < BATCH; sent += 1) {
      // One at a time: in a batch, the lease of the last item would end before it is sent, and
      // another replica would send it too.
      const now = this.#options.now();
      const [item] = await queue.lease({
        now,
        leaseMs: LEASE_MS,
        limit: 1,
      });
      if (!item) {
        break;
      }
      if (await this.#tell(await source.compose(item.id, now - USEFUL_MS))) {
        await queue.complete(item, { now: this.#options.now() });
        told += 1;
      } else {
        await this.#putOff(queue, item);
      }
    }
    return told;
  }

  /**
   * Sends a notification, if there is one. Logs the first failure of an outage and its end, but not
   * every retry.
   */
  async #tell(notification: Notification | undefined): Promise<boolean> {
    if (!notification) {
      return true;
    }
    try {
      await this.#options.notifier.send(notification);
    } catch (error) {
      if (!this.#failing) {
        this.#failing = true;
        this.#options.logger.warn(
          { err: error },
          'People cannot be notified about feedback, trying again',
        );
      }
      return false;
    }
    if (this.#failing) {
      this.#failing = false;
      this.#options.logger.info('People are notified about feedback again');
    }
    return true;
  }

  async #putOff(
    queue: LeasedQueue<object>,
    item: LeasedItem<object>,
  ): Promise<void> {
    const { lane: feedbackId, attempts } = item;
    const now = this.#options.now();
    if (attempts >= ATTEMPTS) {
      await queue.fail(item, { now });
      this.#options.logger.warn(
        { feedbackId },
        'Gave up notifying a person about feedback, after days',
      );
      return;
    }
    const pause = Math.min(FIRST_PAUSE_MS * 2 ** attempts, LONGEST_PAUSE_MS);
    await queue.retry(item, { at: now + pause });
  }
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
