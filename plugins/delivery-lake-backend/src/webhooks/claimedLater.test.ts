import type { Knex } from 'knex';
import type { RawDelivery } from '../events/Delivery';
import { createLake } from '../storage/__testUtils__/createLake';
import { aDeployment } from '../storage/__testUtils__/events';
import { lakeDatabases } from '../storage/__testUtils__/lakeDatabases';
import { DeployedNames } from '../storage/DeployedNames';
import { Replayer } from '../storage/Replayer';
import incident from './__fixtures__/pagerduty/incident.json';
import { lakeConfig } from './__testUtils__/mapping';
import { mapDelivery, withService } from './mapDelivery';

const databases = lakeDatabases();

it.each(databases.eachSupportedId())(
  'moves earlier incidents to the component that claims them, when all is read again, on %s',
  async databaseId => {
    const { directory, knex, send, service } = await createLake(
      await databases.init(databaseId),
    );
    await send(aDeployment({ service: 'shop/cart' }));
    const body = JSON.stringify({
      event: {
        ...incident.event,
        occurred_at: '2026-01-05T00:20:00Z',
        data: { ...incident.event.data, created_at: '2026-01-05T00:20:00Z' },
      },
    });
    const delivery = {
      ...{ channel: 'pagerduty', type: 'incident.triggered', key: 'w-1' },
      ...{ body, context: { repository: 'acme.pagerduty.com' } },
    };
    const { items } = mapDelivery(delivery, lakeConfig());
    await service.ingestDelivery(delivery, items);
    const services = () =>
      knex('incidents as i')
        .join('services as s', 's.id', 'i.service_id')
        .pluck('s.name');
    expect(await services()).toEqual(['pagerduty:PF9KMXH']);

    const entityRef = 'component:default/cart';
    directory.owners.set('pagerduty:PF9KMXH', {
      entityRef,
      team: null,
      project: null,
    });
    await knex('services')
      .where({ name: 'shop/cart' })
      .update({ entity_ref: entityRef });
    const replayer = new Replayer({
      ...{ knex, directory, config: lakeConfig() },
      mapper: one => mapDelivery(one, lakeConfig()),
      complete: (one, tx) =>
        withService(one, new DeployedNames({ knex: tx, directory })),
    });
    await replayer.replay();
    expect(await services()).toEqual(['shop/cart']);

    // A service that was found is kept, so that the result does not change again.
    directory.owners.clear();
    await replayer.replay();
    expect(await services()).toEqual(['shop/cart']);
    expect(
      JSON.parse((await knex('lake_deliveries').first('context')).context),
    ).toEqual({ repository: 'acme.pagerduty.com', service: 'shop/cart' });
  },
);

it.each(databases.eachSupportedId())(
  'moves earlier incidents to deployments that were imported later, when all is read again, on %s',
  async databaseId => {
    const { directory, knex, send, service } = await createLake(
      await databases.init(databaseId),
    );
    const own = {
      entityRef: 'component:default/cart',
      team: null,
      project: null,
    };
    for (const name of ['pagerduty:PF9KMXH', 'cart', 'shop/cart']) {
      directory.owners.set(name, own);
    }
    const complete = (one: RawDelivery, tx: Knex) =>
      withService(one, new DeployedNames({ knex: tx, directory }));
    const body = JSON.stringify({
      event: {
        ...incident.event,
        occurred_at: '2026-01-05T00:20:00Z',
        data: { ...incident.event.data, created_at: '2026-01-05T00:20:00Z' },
      },
    });
    const delivery = await complete(
      {
        ...{ channel: 'pagerduty', type: 'incident.triggered', key: 'w-1' },
        body,
      },
      knex,
    );
    const { items } = mapDelivery(delivery, lakeConfig());
    await service.ingestDelivery(delivery, items);
    const services = () =>
      knex('incidents as i')
        .join('services as s', 's.id', 'i.service_id')
        .pluck('s.name');
    expect(await services()).toEqual(['cart']);

    await send(aDeployment({ service: 'shop/cart' }));
    const replayer = new Replayer({
      ...{ knex, directory, config: lakeConfig() },
      mapper: one => mapDelivery(one, lakeConfig()),
      complete,
    });
    await replayer.replay();
    expect(await services()).toEqual(['shop/cart']);
  },
);
