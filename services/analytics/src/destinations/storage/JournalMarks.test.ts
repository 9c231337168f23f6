import {
  openTestDatabase,
  testDatabaseClients,
} from '@slipway/service-kit/testing';
import { defineAnalytics } from '../../service.ts';
import { GONE_MS, JournalMarks } from './JournalMarks.ts';

const NOW = Date.parse('2026-11-21T10:00:00.000Z');
const none = new Map<string, number>();

describe.each(testDatabaseClients())('marks of journals in %s', client => {
  it('hold back only projects with deferred events once a replica has stopped', async () => {
    const { database, dispose } = await openTestDatabase(
      client,
      defineAnalytics(),
    );
    const marks = new JournalMarks({ database, journal: 'one' });
    await marks.publish(
      { movedBefore: NOW - 10, deferred: new Map([['shop', NOW - 900]]) },
      NOW,
    );
    await marks.withdraw();
    expect(await marks.completeUpTo('shop', NOW)).toBe(NOW - 900);
    expect(await marks.completeUpTo('other', NOW)).toBe(Infinity);
    await dispose();
  });

  it('are deleted once their replicas are gone, and return with them', async () => {
    const { database, dispose } = await openTestDatabase(
      client,
      defineAnalytics(),
    );
    const journals = async () => {
      const rows: { journal: string }[] = await database
        .knex('journal_marks')
        .orderBy('journal');
      return rows.map(({ journal }) => journal);
    };
    const [one, two] = ['one', 'two'].map(
      journal => new JournalMarks({ database, journal }),
    );
    const mark = { movedBefore: NOW, deferred: none };
    await one.publish(mark, NOW);
    await two.publish(mark, NOW + GONE_MS - 1);
    expect(await journals()).toEqual(['one', 'two']);
    await two.publish(undefined, NOW + GONE_MS);
    expect(await journals()).toEqual(['two']);

    await one.publish(undefined, NOW + GONE_MS);
    expect(await journals()).toEqual(['one', 'two']);
    await dispose();
  });

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
