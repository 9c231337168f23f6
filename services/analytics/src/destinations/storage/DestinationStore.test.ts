import {
  openTestDatabase,
  testDatabaseClients,
} from '@slipway/service-kit/testing';
import { defineAnalytics } from '../../service.ts';
import { DestinationStore } from './DestinationStore.ts';

it.each(testDatabaseClients())(
  'keeps the last 50 deliveries of each of two destinations on %s',
  async client => {
    const { database, dispose } = await openTestDatabase(
      client,
      defineAnalytics(),
    );
    try {
      const store = new DestinationStore(database);
      for (let at = 0; at < 120; at += 1) {
        await store.recordTest(
          { projectId: 'shop', id: at % 2 === 0 ? 'crm' : 'lake' },
          {
            at,
            events: 1,
            status: 200,
            error: null,
            durationMs: 1,
            isTest: true,
          },
        );
      }
      const kept: { destination_id: string; count: number | string }[] =
        await database
          .knex('destination_deliveries')
          .groupBy('destination_id')
          .orderBy('destination_id')
          .select('destination_id')
          .count({ count: '*' });
      expect(
        kept.map(row => ({ ...row, count: Number(row.count) })),
      ).toMatchObject([
        { destination_id: 'crm', count: 50 },
        { destination_id: 'lake', count: 50 },
      ]);
      const [last] = await store.deliveries({ projectId: 'shop', id: 'lake' });
      expect(last.at).toBe(119);
    } finally {
      await dispose();
    }
  },
);
