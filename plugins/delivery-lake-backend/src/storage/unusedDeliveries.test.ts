import { createLake } from './__testUtils__/createLake';
import { aDeployment, at } from './__testUtils__/events';
import { lakeDatabases } from './__testUtils__/lakeDatabases';
import { deleteUnusedDeliveries } from './unusedDeliveries';

const databases = lakeDatabases();

it.each(databases.eachSupportedId())(
  'deletes old deliveries without an event on %s',
  async databaseId => {
    const knex = await databases.init(databaseId);
    const { service } = await createLake(knex);
    const receive = (key: string) => ({
      ...{ channel: 'github', type: 'check_run', body: '{}' },
      key,
    });
    await service.ingestDelivery(receive('used'), [{ event: aDeployment() }]);
    await service.ingestDelivery(receive('ignored'), [], 'A check');
    await service.ingestDelivery(receive('rejected'), [{ error: 'No id' }]);
    await knex('lake_deliveries').update({ received_at: at(1) });
    await service.ingestDelivery(receive('new'), [], 'A check');

    await deleteUnusedDeliveries(knex, at(1));
    expect(await knex('lake_deliveries').pluck('delivery_key')).toHaveLength(4);
    await deleteUnusedDeliveries(knex, at(2));
    expect(
      await knex('lake_deliveries').orderBy('id').pluck('delivery_key'),
    ).toEqual(['used', 'new']);
  },
);
