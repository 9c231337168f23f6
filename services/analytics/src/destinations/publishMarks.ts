import { setTimeout as sleep } from 'node:timers/promises';
import type { ServiceKit } from '@slipway/service-kit';
import type { EventStore } from '../store/EventStore.ts';
import { GONE_MS, JournalMarks } from './storage/JournalMarks.ts';

const PUBLISH_MS = 2_000;
/** Maximum milliseconds to wait for the last move before the service stops. */
const LAST_MOVE_MS = 3_000;
/**
 * Maximum milliseconds between the arrival of an event and its sending: earlier events that have not
 * been moved were imported, or their replica was down for too long.
 */
const RECENT_MS = 24 * 3_600_000;
/** Milliseconds without a mark after which a replica assumes that others no longer wait for it. */
const LAPSED_MS = GONE_MS / 2;

/** Maximum milliseconds between the arrival of an event and its storage. */
export const STORED_WITHIN_MS = 10_000;

/**
 * Regularly publishes which of this replica's events a shared server has, until the service
 * stops. If that was impossible for so long that others may not have waited, the events that are
 * not moved yet arrive again: destinations are past their time of arrival.
 * @returns the marks of all replicas.
 */
export async function publishMarks(
  {
    database,
    every,
    now,
    onStop,
  }: Pick<ServiceKit, 'database' | 'every' | 'now' | 'onStop'>,
  store: Pick<
    EventStore,
    'arrivals' | 'beforeMoves' | 'deferred' | 'moveMany' | 'oldestUnmoved'
  >,
): Promise<JournalMarks> {
  const marks = new JournalMarks({ database, journal: store.arrivals.id });
  let publishedAt = (await marks.publishedAt()) ?? -Infinity;
  /** When events last arrived again: all that are not moved have this time or a later one. */
  let renewedAt: number | undefined;
  const arriveAgain = async () => {
    const at = now();
    if (at - publishedAt > LAPSED_MS) {
      await store.arrivals.renew({ since: at - RECENT_MS, now: at });
      renewedAt = at;
    }
  };
  store.beforeMoves(arriveAgain);
  const publish = async () => {
    await arriveAgain();
    const at = now();
    const oldest = store.oldestUnmoved(at - RECENT_MS) ?? renewedAt;
    const deferred = new Map(
      store.deferred
        .projects()
        .map(id => [id, store.deferred.oldest(id) ?? at] as const),
    );
    const mark = oldest !== undefined && {
      movedBefore: Math.min(at - STORED_WITHIN_MS, oldest),
      deferred,
    };
    await marks.publish(mark || undefined, at);
    publishedAt = at;
    return oldest === Infinity;
  };
  // Publish before the first event arrives: other replicas do not wait for one without a mark.
  await publish();
  every({
    name: 'Publishing which events are moved',
    everyMs: PUBLISH_MS,
    work: publish,
  });
  onStop(async () => {
    await Promise.race([
      store.moveMany(1).catch(() => undefined),
      sleep(LAST_MOVE_MS, undefined, { ref: false }),
    ]);
    if (await publish()) {
      // From now on, only projects with deferred events have to wait for this replica.
      await marks.withdraw();
    }
  });
  return marks;
}
