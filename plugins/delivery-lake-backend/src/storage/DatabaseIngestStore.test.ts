import { LakeEvent } from '../events/LakeEvent';
import { createLake } from './__testUtils__/createLake';
import { dumpLake } from './__testUtils__/dumpLake';
import {
  aChange,
  aDeployment,
  anIncident,
  at,
  shaOf,
} from './__testUtils__/events';
import { lakeDatabases } from './__testUtils__/lakeDatabases';

const databases = lakeDatabases();

const START_OF_1 = aDeployment({
  occurredAt: at(5),
  status: 'IN_PROGRESS',
  finishedAt: undefined,
  commit: { sha: shaOf(1), committedAt: at(1) },
  repository: 'acme/shop',
  triggeredBy: 'ada',
});
const FINISH_OF_1 = aDeployment({ startedAt: undefined, version: '1.2.0' });

it('runs on SQLite and PostgreSQL', () => {
  expect(databases.eachSupportedId()).toHaveLength(2);
});

describe.each(databases.eachSupportedId())('on %s', databaseId => {
  const start = async () => createLake(await databases.init(databaseId));

  it('merges a start and a finish into one deployment, in any order', async () => {
    const ordered = await start();
    await ordered.send(START_OF_1);
    await ordered.send(FINISH_OF_1);
    const reversed = await start();
    await reversed.send(FINISH_OF_1);
    await reversed.send(START_OF_1);
    const together = await start();
    await together.send(FINISH_OF_1, START_OF_1);

    const dump = await dumpLake(ordered.knex);
    expect(dump.deployments).toEqual([
      expect.objectContaining({
        service: 'shop',
        status: 'SUCCESS',
        started_at: at(5),
        finished_at: at(10),
        triggered_by: 'ada',
        version: '1.2.0',
        counted: 1,
        commit_sha: shaOf(1),
        head_position: at(1) * 2048,
      }),
    ]);
    expect(dump.changes).toEqual([
      expect.objectContaining({ sha: shaOf(1), repository: 'acme/shop' }),
    ]);
    expect(await dumpLake(reversed.knex)).toEqual(dump);
    expect(await dumpLake(together.knex)).toEqual(dump);
  });

  it('recognizes a duplicate event, in one batch or in two', async () => {
    const { send, knex } = await start();
    const first = await send(aDeployment(), aDeployment());
    expect(first).toMatchObject({ accepted: 1, duplicates: 1 });
    const again = await send(aDeployment());
    expect(again).toMatchObject({ accepted: 0, duplicates: 1 });

    const ids = [...first.results, ...again.results].map(({ id }) => id);
    expect(new Set(ids).size).toBe(1);
    expect(ids[0]).toMatch(/^deploy-[0-9a-f-]{36}$/);
    const dump = await dumpLake(knex);
    expect(dump.events).toHaveLength(1);
    expect(dump.sources).toEqual([{ source: 'ci', events: 1 }]);
  });

  it('applies a newer correction and only stores an older one', async () => {
    const { send, knex } = await start();
    const { results } = await send(aDeployment({ version: '2' }));
    const newer = await send(
      aDeployment({ occurredAt: at(30), status: 'ROLLED_BACK' }),
    );
    const older = await send(
      aDeployment({ occurredAt: at(4), version: '1', status: 'FAILURE' }),
    );

    expect(newer.results[0]).toEqual({
      index: 0,
      outcome: 'accepted',
      id: results[0].id,
    });
    expect(older).toMatchObject({ stale: 1, accepted: 0 });
    expect(older.results[0].id).toBe(results[0].id);
    const dump = await dumpLake(knex);
    expect(dump.deployments).toEqual([
      expect.objectContaining({
        status: 'ROLLED_BACK',
        version: '2',
        revision: at(30),
      }),
    ]);
    expect(dump.events).toHaveLength(3);
  });

  it('removes deleted records, whenever the event arrives', async () => {
    const gone = aDeployment({ occurredAt: at(40), deleted: true });
    const after = await start();
    await after.send(aDeployment({ changes: [shaOf(1)] }));
    await after.send(gone);
    const before = await start();
    await before.send(gone);
    const { results } = await before.send(aDeployment({ changes: [shaOf(1)] }));

    expect(results).toEqual([{ index: 0, outcome: 'stale' }]);
    const dump = await dumpLake(after.knex);
    expect(dump).toMatchObject({ deployments: [], listed: [] });
    expect(await dumpLake(before.knex)).toEqual(dump);

    await after.send(aDeployment({ occurredAt: at(50), version: '3' }));
    expect((await dumpLake(after.knex)).deployments).toEqual([
      expect.objectContaining({ version: '3' }),
    ]);
  });

  it('sets the position of a deployment’s commit, whenever the change arrives', async () => {
    const { send, knex } = await start();
    const head = async () =>
      (await dumpLake(knex)).deployments[0].head_position;
    await send(
      aDeployment({ repository: 'acme/shop', commit: { sha: shaOf(1) } }),
    );
    expect(await head()).toBeNull();
    await send(aChange());
    expect(await head()).toBe(at(2) * 2048);
    await send(aChange({ occurredAt: at(3), landedAt: at(3), sequence: 7 }));
    expect(await head()).toBe(at(3) * 2048 + 7);
    await send(aChange({ occurredAt: at(9), deleted: true }));
    expect(await head()).toBeNull();
  });

  it('keeps the list of changes of the latest event', async () => {
    const { send, knex } = await start();
    await send(aDeployment({ changes: [shaOf(2), shaOf(1), shaOf(2)] }));
    expect((await dumpLake(knex)).listed).toEqual([
      { external_id: '1', repository: 'service:shop', sha: shaOf(1) },
      { external_id: '1', repository: 'service:shop', sha: shaOf(2) },
    ]);
    await send(
      aDeployment({
        occurredAt: at(11),
        repository: 'acme/shop',
        changes: [shaOf(3)],
      }),
    );
    expect((await dumpLake(knex)).listed).toEqual([
      { external_id: '1', repository: 'acme/shop', sha: shaOf(3) },
    ]);
  });

  it.each([
    ['key', { source: 'ci', externalId: '1' }],
    ['commit', { sha: shaOf(1) }],
  ])(
    'gives an incident the service of its deployment, found by %s',
    async (_, deployment) => {
      const { send, knex } = await start();
      const service = async () => (await dumpLake(knex)).incidents[0].service;
      const { results } = await send(anIncident({ deployment }));
      expect(results[0].id).toMatch(/^incident-[0-9a-f-]{36}$/);
      expect(await service()).toBeNull();

      await send(aDeployment({ commit: { sha: shaOf(1) } }));
      expect(await service()).toBe('shop');
      await send(aDeployment({ occurredAt: at(11), service: 'till' }));
      expect(await service()).toBe('till');
      await send(anIncident({ occurredAt: at(21), service: 'door' }));
      expect(await service()).toBe('door');
      await send(aDeployment({ occurredAt: at(30), deleted: true }));
      expect(await service()).toBe('door');
    },
  );

  it('finds a deployment by the id in the lake', async () => {
    const { send, knex } = await start();
    const { results } = await send(aDeployment());
    await send(anIncident({ deployment: { id: results[0].id } }));
    expect((await dumpLake(knex)).incidents).toEqual([
      expect.objectContaining({ service: 'shop' }),
    ]);
  });

  it('treats an entity ref and a plain name as the same service, and looks up its owner', async () => {
    const { send, knex, directory } = await start();
    await directory.own('shop', 'payments');
    await send(
      aDeployment({ service: 'component:default/shop' }),
      aDeployment({ externalId: '2', service: 'shop' }),
      aDeployment({ externalId: '3', service: 'component:cash/till' }),
    );
    expect(await knex('services').select('*').orderBy('id')).toEqual([
      {
        id: expect.any(Number),
        name: 'shop',
        entity_ref: 'component:default/shop',
        team: 'group:default/payments',
        project: 'system:default/shop',
      },
      expect.objectContaining({ name: 'cash/till', entity_ref: null }),
    ]);
  });

  it('stores texts that a database may reject', async () => {
    const { send, knex } = await start();
    await send(
      aDeployment({ version: 'a\0b\ud800', triggeredBy: `O'Neil “x” \\ 🚀` }),
    );
    expect((await dumpLake(knex)).deployments).toEqual([
      expect.objectContaining({
        version: 'ab\ufffd',
        triggered_by: `O'Neil “x” \\ 🚀`,
      }),
    ]);
  });

  it('ingests a delivery once, and stores unreadable ones', async () => {
    const { service, knex } = await start();
    const delivery = {
      channel: 'github',
      type: 'deployment_status',
      key: 'guid-1',
      body: '{"a":1}',
      context: { event: 'deployment_status' },
    };
    const items = [{ event: aDeployment() }];
    expect(await service.ingestDelivery(delivery, items)).toMatchObject({
      accepted: 1,
    });
    expect(await service.ingestDelivery(delivery, items)).toBeUndefined();
    expect(
      await service.ingestDelivery({ ...delivery, channel: 'gitlab' }, items),
    ).toMatchObject({ duplicates: 1 });
    await service.ingestDelivery({ ...delivery, key: '2' }, [], 'A ping');
    await service.ingestDelivery({ ...delivery, key: '3' }, [
      { error: 'id is required', field: 'id' },
    ]);

    const rows = await knex('lake_deliveries').orderBy('id');
    expect(
      rows.map(({ channel, outcome, reason }) => [channel, outcome, reason]),
    ).toEqual([
      ['github', 'accepted', null],
      ['gitlab', 'accepted', null],
      ['github', 'ignored', 'A ping'],
      ['github', 'rejected', 'id is required'],
    ]);
    expect(rows[0]).toMatchObject({
      body: '{"a":1}',
      context: '{"event":"deployment_status"}',
    });
    const [event] = await knex('lake_events').select('delivery_id');
    expect(Number(event.delivery_id)).toBe(Number(rows[0].id));
  });

  it('reads a delivery without an event again when it is repeated', async () => {
    const { service, knex } = await start();
    const delivery = {
      channel: 'gitea',
      type: 'release',
      key: 'guid-1',
      body: '{}',
    };
    await service.ingestDelivery(delivery, [], 'Releases are ignored');
    await service.ingestDelivery(delivery, [{ error: 'It is in the future' }]);
    expect(
      await service.ingestDelivery(delivery, [{ event: aDeployment() }]),
    ).toMatchObject({ accepted: 1 });
    expect(
      await service.ingestDelivery(delivery, [], 'Releases are ignored'),
    ).toBeUndefined();

    const rows = await knex('lake_deliveries').select('id', 'outcome');
    expect(rows).toEqual([{ id: rows[0].id, outcome: 'accepted' }]);
    expect(await knex('lake_events').pluck('delivery_id')).toEqual([
      rows[0].id,
    ]);
  });

  it('stores nothing of a batch that the database rejects', async () => {
    const { knex, send } = await start();
    await knex.schema.dropTable('incidents');
    await expect(send(aDeployment(), anIncident())).rejects.toThrow();
    expect(await knex('lake_events').select()).toEqual([]);
    expect(await knex('deployments').select()).toEqual([]);
    await expect(send(aDeployment())).rejects.toThrow();
  });

  it('accepts a thousand in one batch', async () => {
    const { knex, send } = await start();
    const events = Array.from({ length: 1_000 }, (_, index): LakeEvent =>
      aDeployment({
        externalId: `${index}`,
        service: `service-${index % 50}`,
        commit: { sha: shaOf(index), committedAt: at(1) },
      }),
    );
    expect(await send(...events)).toMatchObject({ accepted: 1_000 });
    const [{ count }] = await knex('deployments')
      .whereNotNull('head_position')
      .count({ count: '*' });
    expect(Number(count)).toBe(1_000);
  });
});
