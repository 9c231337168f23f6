import type { Knex } from 'knex';
import { createLake } from './__testUtils__/createLake';
import { dumpDerived } from './__testUtils__/dumpDerived';
import { dumpLake } from './__testUtils__/dumpLake';
import {
  aChange,
  aDeployment,
  anIncident,
  at,
  shaOf,
} from './__testUtils__/events';
import { DatabaseDeriver } from './DatabaseDeriver';
import { DatabaseNamespaceStore } from './DatabaseNamespaceStore';
import { lakeDatabases } from './__testUtils__/lakeDatabases';

const databases = lakeDatabases();

/** Returns the contents of a lake, except for counters that only ever increase. */
async function dump(knex: Knex) {
  return {
    ...(await dumpLake(knex)),
    ...(await dumpDerived(knex)),
    services: await knex('services').orderBy('name').pluck('name'),
    repositories: await knex('repositories').orderBy('name').pluck('name'),
    links: await knex('service_repositories').select(),
    marks: await knex('dirty_marks').select(),
    emptyCounts: await knex('rollup_counts').where({
      deployments: 0,
      changes: 0,
      restores: 0,
      recoveries: 0,
    }),
    emptyHistograms: await knex('rollup_durations').where({ samples: 0 }),
  };
}

describe.each(databases.eachSupportedId())('on %s', databaseId => {
  async function start() {
    const lake = await createLake(await databases.init(databaseId));
    const deriver = new DatabaseDeriver({
      knex: lake.knex,
      dora: { incidentWindow: 24 * 3_600_000 },
      timeZone: 'UTC',
    });
    const store = new DatabaseNamespaceStore({ ...lake, deriver });
    return { ...lake, deriver, store };
  }

  const history = (service: string, repository: string, source: string) => [
    ...Array.from({ length: 700 }, (_, index) => [
      aChange({ sha: shaOf(index), repository, source, landedAt: at(index) }),
      aDeployment({
        externalId: `${service}-${index}`,
        source,
        service,
        repository,
        commit: { sha: shaOf(index) },
        startedAt: at(index),
        finishedAt: at(index + 1),
      }),
    ]).flat(),
    anIncident({
      externalId: `${service}-incident`,
      source,
      service,
      deployment: { source, externalId: `${service}-5` },
      startedAt: at(7),
      resolvedAt: at(90),
    }),
  ];

  it('deletes everything of a namespace, and nothing of the others', async () => {
    const { knex, send, deriver, store } = await start();
    await send(...history('shop', 'acme/shop', 'ci'));
    await deriver.drain();
    const before = await dump(knex);

    await send(...history('demo/shop', 'demo/shop', 'simulation'));
    await deriver.drain();
    expect(await dump(knex)).not.toEqual(before);

    expect(await store.forget('demo')).toMatchObject({ services: 1 });
    expect(await dump(knex)).toEqual(before);
    expect(await store.forget('demo')).toEqual({ services: 0, records: 0 });
  });

  it('deletes what arrives while it works', async () => {
    const { deriver, send, ...lake } = await start();
    const before = await dump(lake.knex);
    const late = [
      aDeployment({ externalId: '2', service: 'demo/shop', finishedAt: at(9) }),
    ];
    const store = new DatabaseNamespaceStore({
      ...lake,
      deriver: {
        async drain(ids) {
          await deriver.drain(ids);
          await send(...late.splice(0));
          await deriver.drain();
        },
      },
    });
    await send(aDeployment({ service: 'demo/shop', finishedAt: at(5) }));
    expect(await store.forget('demo')).toEqual({ services: 1, records: 2 });
    expect(await dump(lake.knex)).toEqual(before);
  });

  it('keeps the changes of a repository that other services share', async () => {
    const { knex, send, store } = await start();
    const common = { repository: 'acme/shop', commit: { sha: shaOf(1) } };
    await send(
      aChange(),
      aDeployment(common),
      aDeployment({ ...common, externalId: '2', service: 'demo/shop' }),
      // Its name has the namespace as a prefix.
      aDeployment({ externalId: '3', service: 'demonstration' }),
    );
    expect(await store.forget('demo')).toEqual({ services: 1, records: 1 });
    expect(await knex('changes').pluck('sha')).toEqual([shaOf(1)]);
    expect(await knex('services').orderBy('name').pluck('name')).toEqual([
      'demonstration',
      'shop',
    ]);
  });

  it('deletes deliveries that reported nothing else', async () => {
    const { knex, service, store } = await start();
    const delivery = { channel: 'cloudevents', type: 'x', body: '{}' };
    await service.ingestDelivery({ ...delivery, key: '1' }, [
      { event: aDeployment({ service: 'demo/shop' }) },
    ]);
    await service.ingestDelivery({ ...delivery, key: '2' }, [
      { event: aDeployment({ externalId: '2', service: 'demo/shop' }) },
      { event: aDeployment({ externalId: '3' }) },
    ]);
    await store.forget('demo');
    expect(await knex('lake_deliveries').pluck('delivery_key')).toEqual(['2']);
  });
});
