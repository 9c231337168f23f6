import {
  openTestDatabase,
  testDatabaseClients,
} from '@slipway/service-kit/testing';
import { defineAnalytics } from '../../service.ts';
import { GONE_MS, JournalMarks } from './JournalMarks.ts';

const NOW = Date.parse('2026-11-21T10:00:00.000Z');
const none = new Map<string, number>();

describe.each(testDatabaseClients())('marks of journals in %s', client => {
  it('hold events back that any replica has not moved yet', async () => {
    const { database, dispose } = await openTestDatabase(
      client,
      defineAnalytics(),
    );
    const [one, two] = ['one', 'two'].map(
      journal => new JournalMarks({ database, journal }),
    );
    const complete = (projectId: string, now = NOW) =>
      one.completeUpTo(projectId, now);
    expect(await complete('shop')).toBe(Infinity);

    await one.publish({ movedBefore: NOW - 10, deferred: none }, NOW);
    await two.publish(
      { movedBefore: NOW - 500, deferred: new Map([['shop', NOW - 900]]) },
      NOW,
    );
    expect(await complete('shop')).toBe(NOW - 900);
    expect(await complete('other')).toBe(NOW - 500);

    // Its backlog is too long to find the oldest event.
    await two.publish(undefined, NOW + 1);
    expect(await complete('shop')).toBe(NOW - 900);
    expect(await complete('shop', NOW + GONE_MS)).toBe(NOW - 900);
    expect(await complete('shop', NOW + GONE_MS + 1)).toBe(Infinity);

    await two.publish({ movedBefore: NOW - 20, deferred: none }, NOW + 2);
    expect(await complete('shop')).toBe(NOW - 20);
    await two.withdraw();
    expect(await complete('shop')).toBe(NOW - 10);
    await dispose();
  });
});
