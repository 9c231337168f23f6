import { createHash } from 'node:crypto';
import {
  type Database,
  type LeasedItem,
  LeasedQueue,
  UnavailableError,
} from '@slipway/service-kit';
import {
  type IssueDraft,
  type TrackedIssue,
  type Tracker,
  TrackerRefusedError,
} from '../automation/Tracker.ts';

/** Period in which an existing issue with the same marker is searched for. */
const SEARCHED_MS = 365 * 86_400_000;

/**
 * Opens issues on request, one per marker. A marker is leased by one request at a time, because
 * trackers such as GitHub can be slow and do not prevent duplicates themselves.
 */
export class IssueOpener {
  readonly #tracker: Tracker;
  readonly #database: Database;
  readonly #queue: LeasedQueue<object>;
  readonly #now: () => number;

  constructor(options: {
    tracker: Tracker;
    database: Database;
    now: () => number;
  }) {
    const { tracker, database, now } = options;
    this.#tracker = tracker;
    this.#database = database;
    this.#queue = new LeasedQueue({ database, name: 'requested-issues' });
    this.#now = now;
  }

  /**
   * Opens an issue, unless one with its marker exists.
   *
   * @throws UnavailableError if the tracker fails, or another request with the marker is still in
   *   progress.
   */
  async open(
    draft: IssueDraft,
  ): Promise<{ issue: TrackedIssue; isNew: boolean }> {
    const item = await this.#lease(draft.marker);
    const complete = () => this.#queue.complete(item, { now: this.#now() });
    try {
      const since = this.#now() - SEARCHED_MS;
      const found = await this.#tracker
        .find(draft.marker, { since })
        .catch(async (error: unknown) => {
          if (!(error instanceof TrackerRefusedError)) {
            await this.#queue.retry(item, { at: this.#now() });
          }
          throw error;
        });
      const issue = found ?? (await this.#tracker.create(draft));
      await complete();
      return { issue, isNew: !found };
    } catch (error) {
      if (error instanceof TrackerRefusedError) {
        await complete();
      }
      // After any other error of a creation, the lease is kept, since the issue may still appear.
      throw new UnavailableError('The tracker is not responding', {
        cause: error,
      });
    }
  }

  async #lease(marker: string): Promise<LeasedItem<object>> {
    const now = this.#now();
    // Hashed, because markers are longer than the ids of a queue.
    const id = createHash('sha256').update(marker).digest('hex');
    await this.#database.transaction(trx =>
      this.#queue.enqueue(trx, [{ id, payload: {}, createdAt: now }]),
    );
    const leaseMs = this.#tracker.retryAfterMs;
    const [item] = await this.#queue.lease({
      now,
      leaseMs,
      limit: 1,
      lane: id,
    });
    if (!item) {
      throw new UnavailableError('The issue is being opened', {
        retryAfterSeconds: Math.ceil(leaseMs / 1_000),
      });
    }
    return item;
  }
}
