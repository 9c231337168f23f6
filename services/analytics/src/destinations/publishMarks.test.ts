import {
  openTestDatabase,
  testDatabaseClients,
} from '@slipway/service-kit/testing';
import { defineAnalytics } from '../service.ts';
import { publishMarks } from './publishMarks.ts';
import { GONE_MS, JournalMarks } from './storage/JournalMarks.ts';

const NOW = Date.parse('2026-11-21T10:00:00.000Z');
const MINUTE_MS = 60_000;

type Kit = Parameters<typeof publishMarks>[0];
type Store = Parameters<typeof publishMarks>[1];

describe.each(testDatabaseClients())(
  'a replica and its marks in %s',
  client => {
    let now: number;
    /** The times from which events arrived again, and the new times. */
    let renewed: { since: number; now: number }[];
    let database: Kit['database'];
    let dispose: () => Promise<void>;

    beforeEach(async () => {
      now = NOW;
      renewed = [];
      ({ database, dispose } = await openTestDatabase(
        client,
        defineAnalytics(),
      ));
    });

    afterEach(() => dispose());

    /** Publishes the mark of the replica before its crash, with an event that was not moved. */
    const crash = () =>
      new JournalMarks({ database, journal: 'one' }).publish(
        { movedBefore: NOW - 30_000, deferred: new Map() },
        NOW,
      );

    /** Starts the replica; its journal has one event, which is not moved. */
    async function start(arrivedAt: number, { isTooLong = false } = {}) {
      let oldest = arrivedAt;
      let publish: () => Promise<unknown> = async () => undefined;
      let beforeMove: () => Promise<void> = async () => undefined;
      let stop: () => unknown = () => undefined;
      const store = {
        arrivals: {
          id: 'one',
          renew: async (times: { since: number; now: number }) => {
            renewed.push(times);
            oldest = times.now;
          },
        },
        beforeMoves(work: () => Promise<void>) {
          beforeMove = work;
        },
        deferred: { projects: () => [], oldest: () => undefined },
        moveMany: async () => {
          oldest = Infinity;
        },
        oldestUnmoved: () => (isTooLong ? undefined : oldest),
      } as unknown as Store;
      await publishMarks(
        {
          database,
          now: () => now,
          every: ({ work }) => {
            publish = () => work(new AbortController().signal);
          },
          onStop: work => {
            stop = work;
          },
        },
        store,
      );
      return {
        publish: () => publish(),
        beforeMove: () => beforeMove(),
        stop: () => stop(),
      };
    }

    /** Returns the time up to which destinations of another replica may send. */
    const completeUpTo = () =>
      new JournalMarks({ database, journal: 'two' }).completeUpTo('shop', now);

    it('keeps the times of its events when it returns soon', async () => {
      await crash();
      now += 5 * MINUTE_MS;
      expect(await completeUpTo()).toBe(NOW - 30_000);
      await start(NOW - 30_000);
      expect(renewed).toEqual([]);
      expect(await completeUpTo()).toBe(NOW - 30_000);
    });

    it('lets its events arrive again when others may not have waited for them', async () => {
      await crash();
      now += GONE_MS;
      expect(await completeUpTo()).toBe(Infinity);
      await start(NOW - 30_000);
      expect(renewed).toEqual([{ since: now - 24 * 60 * MINUTE_MS, now }]);
      expect(await completeUpTo()).toBe(now - 10_000);
    });

    it('is waited for from then on, even if its backlog is too long to search', async () => {
      await crash();
      now += GONE_MS;
      const { publish } = await start(NOW - 30_000, { isTooLong: true });
      const returnedAt = now;
      expect(await completeUpTo()).toBe(returnedAt - 10_000);
      now += 2 * MINUTE_MS;
      await publish();
      expect(await completeUpTo()).toBe(returnedAt);
    });

    it('does so before it moves or publishes anything after a long pause', async () => {
      await crash();
      const { beforeMove, publish } = await start(NOW - 30_000);
      now += MINUTE_MS;
      await publish();
      await beforeMove();
      expect(renewed).toEqual([]);
      now += GONE_MS;
      await beforeMove();
      expect(renewed).toHaveLength(1);
      await publish();
      expect(renewed).toHaveLength(2);
      await beforeMove();
      expect(renewed).toHaveLength(2);
    });

    it('is not waited for once it has moved its events and stopped', async () => {
      const { stop } = await start(NOW - 30_000);
      await stop();
      expect(await completeUpTo()).toBe(Infinity);
    });
  },
);
