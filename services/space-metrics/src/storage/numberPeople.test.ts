import { setTimeout as sleep } from 'node:timers/promises';
import {
  openTestDatabase,
  testDatabaseClients,
} from '@slipway/service-kit/testing';
import {
  clientOf,
  startSpaceMetrics,
} from '../__testUtils__/startSpaceMetrics.ts';
import { spaceMetrics } from '../service.ts';

it.each(testDatabaseClients())(
  'accepts an event on %s of someone who is being erased',
  async databaseClient => {
    const { database, dispose } = await openTestDatabase(
      databaseClient,
      spaceMetrics,
    );
    const service = await startSpaceMetrics({ database });
    const client = clientOf(service);
    await client.survey('ada', 5);
    const { answer } = await database.transaction(async trx => {
      await trx('pulse_surveys').delete();
      await trx('people').delete();
      const sent = client.events([{ id: '1', kind: 'commit', user_id: 'ada' }]);
      await sleep(300);
      // Not awaited here: it waits for the end of this transaction.
      return { answer: sent };
    });
    expect((await answer).body).toMatchObject({ accepted: 1 });
    await service.stop();
    await dispose();
  },
);
