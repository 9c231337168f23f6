import { DeploymentEvent } from '../events/LakeEvent';
import { PersonNames } from '../people/PersonNames';
import { createLake, INGEST_CONFIG } from './__testUtils__/createLake';
import { dumpLake } from './__testUtils__/dumpLake';
import { aChange, aDeployment, at, shaOf } from './__testUtils__/events';
import { lakeDatabases } from './__testUtils__/lakeDatabases';
import { deletePerson, previewDeletion } from './personDeletion';
import { Replayer } from './Replayer';
import { RawDeliveryMapper, runStage } from './replayStages';

const databases = lakeDatabases();

describe.each(databases.eachSupportedId())('deleting a person on %s', id => {
  const mapper: RawDeliveryMapper = ({ body }) => {
    const event: DeploymentEvent | null = JSON.parse(body).event;
    return { items: event ? [{ event }] : [], ignored: 'It is a ping' };
  };

  async function start() {
    const lake = await createLake(await databases.init(id));
    const { service, knex, directory } = lake;
    const deliver = (key: string, body: { by: string; event: unknown }) => {
      const delivery = {
        channel: 'test',
        type: 'run',
        key,
        body: JSON.stringify(body),
        context: { service: body.by },
      };
      return service.ingestDelivery(delivery, mapper(delivery).items);
    };
    const forget = async (...names: string[]) => {
      const person = new PersonNames(names);
      for (const stage of deletePerson({ knex, directory, person })) {
        await runStage(stage, 0, () => {});
      }
    };
    const replay = () =>
      new Replayer({
        ...lake,
        config: INGEST_CONFIG,
        mapper,
        now: () => at(100_000),
      }).replay();
    /** Returns all stored data as text. */
    const stored = async () => {
      const tables = [
        'lake_deliveries',
        'lake_events',
        'deployments',
        'changes',
      ];
      const rows = await Promise.all(tables.map(table => knex(table).select()));
      return JSON.stringify(rows);
    };
    return { ...lake, deliver, forget, replay, stored };
  }

  const byAda = (externalId: string) =>
    aDeployment({
      externalId,
      triggeredBy: 'ada',
      repository: 'acme/shop',
      commit: { sha: shaOf(1), author: 'Ada', committedAt: at(1) },
    });

  it('leaves her name nowhere, and the records of everyone else as they were', async () => {
    const { knex, send, deliver, forget, stored } = await start();
    await send(
      byAda('1'),
      aDeployment({ externalId: '2', triggeredBy: 'bob' }),
    );
    await send(aChange({ sha: shaOf(2), author: 'Ada <ada@example.org>' }));
    await deliver('a', { by: 'Ada', event: byAda('3') });
    await deliver('b', { by: 'ADA@example.org', event: null });
    await deliver('c', { by: 'bob', event: aDeployment({ externalId: '4' }) });
    const before = await dumpLake(knex);

    await forget('Ada', 'ada@example.org');
    expect((await stored()).toLowerCase()).not.toMatch(/\bada\b/);
    const after = await dumpLake(knex);
    expect(after).toEqual({
      ...before,
      deployments: before.deployments.map(row => ({
        ...row,
        triggered_by: row.triggered_by === 'bob' ? 'bob' : '',
        commit_author: row.commit_author === null ? null : '',
      })),
      changes: before.changes.map(row => ({ ...row, author: '' })),
    });
    expect(
      await knex('lake_deliveries')
        .orderBy('delivery_key')
        .select('delivery_key', 'outcome'),
    ).toEqual([
      { delivery_key: 'a', outcome: 'emptied' },
      { delivery_key: 'c', outcome: 'accepted' },
    ]);
  });

  it('survives a replay, and events and deliveries that are sent again', async () => {
    const { knex, send, deliver, forget, replay, stored } = await start();
    await send(byAda('1'));
    await deliver('a', { by: 'ada', event: byAda('3') });
    await forget('ada');
    const deleted = await dumpLake(knex);

    await replay();
    expect(await dumpLake(knex)).toEqual(deleted);
    expect(
      await deliver('a', { by: 'ada', event: byAda('3') }),
    ).toBeUndefined();
    const again = await send(byAda('1'), byAda('3'));
    expect(again).toMatchObject({ accepted: 0, duplicates: 2 });
    await forget('ada');
    expect(await dumpLake(knex)).toEqual(deleted);
    expect((await stored()).toLowerCase()).not.toMatch(/\bada\b/);
  });

  it('is completed by another run if it was interrupted', async () => {
    const { knex, directory, send, deliver, forget, replay, stored } =
      await start();
    await deliver('a', { by: 'ada', event: byAda('3') });
    await send(byAda('1'));
    const before = await dumpLake(knex);
    const person = new PersonNames(['ada']);
    const [deliveries] = deletePerson({ knex, directory, person });
    await runStage(deliveries, 0, () => {});
    expect(await dumpLake(knex)).toEqual(before);

    await replay();
    expect(await dumpLake(knex)).toEqual(before);
    await forget('ada');
    expect((await stored()).toLowerCase()).not.toMatch(/\bada\b/);
    expect((await dumpLake(knex)).deployments).toHaveLength(2);
  });

  it('reads few large bodies at once, and every one', async () => {
    const { knex, directory, deliver } = await start();
    const event = 'x'.repeat(1_500_000);
    for (const key of ['a', 'b', 'c', 'd', 'e']) {
      await deliver(key, { by: 'ada', event: null });
    }
    await knex('lake_deliveries')
      .whereIn('delivery_key', ['a', 'b', 'c'])
      .update({ body: JSON.stringify({ by: 'ada', event }) });
    const person = new PersonNames(['ada']);
    const [deliveries] = deletePerson({ knex, directory, person });
    const done: number[] = [];
    await runStage(deliveries, 0, progress => done.push(progress.done));
    expect(done).toEqual([2, 5]);
    expect(await knex('lake_deliveries')).toEqual([]);
  });

  it('can be previewed, with the fields that consist of a login', async () => {
    const { knex, deliver } = await start();
    await deliver('a', { by: 'Ada Lovelace', event: null });
    await deliver('b', { by: 'main', event: byAda('1') });
    await deliver('c', { by: 'main', event: null });
    await deliver('d', { by: 'bob', event: null });
    const before = await knex('lake_deliveries').orderBy('id');
    const person = new PersonNames(['Ada Lovelace', 'main']);
    const all = await previewDeletion({ knex, person }, { after: 0 });
    expect(all).toEqual({
      ...{ position: null, read: 4, total: 4, deliveries: 3, named: 1 },
      fields: [{ login: 'main', field: 'by', deliveries: 2 }],
    });
    // The next part begins where the previous one ended.
    const first = { after: 0, forMs: 0 };
    const { position } = await previewDeletion({ knex, person }, first);
    expect(
      await previewDeletion({ knex, person }, { after: position! }),
    ).toMatchObject({ position: null, read: 0, total: 4, fields: [] });
    expect(await knex('lake_deliveries').orderBy('id')).toEqual(before);
  });

  it('lets other work run between the deliveries that it reads', async () => {
    const { knex, directory, deliver } = await start();
    await deliver('a', { by: 'ada', event: null });
    const person = new PersonNames(['ada']);
    const [deliveries] = deletePerson({ knex, directory, person });
    for (const read of [
      () => previewDeletion({ knex, person }, { after: 0 }),
      () => runStage(deliveries, 0, () => {}),
    ]) {
      const done: string[] = [];
      setImmediate(() => done.push('other work'));
      await read();
      expect(done).toEqual(['other work']);
    }
  });

  it('leaves the name of an earlier author out of the record of a later one', async () => {
    const { knex, send, forget } = await start();
    await send(aChange({ author: 'Bob', occurredAt: at(2) }));
    await send(aChange({ author: 'Ada', occurredAt: at(3) }));
    await forget('ada');
    expect(await knex('changes').pluck('author')).toEqual(['']);
  });

  it('changes nothing about people with other names', async () => {
    const { knex, send, forget } = await start();
    await send(byAda('1'), aChange({ sha: shaOf(3), author: 'Adam' }));
    const before = await dumpLake(knex);
    await forget('Bob');
    expect(await dumpLake(knex)).toEqual(before);
    await forget('ada');
    expect(await knex('changes').where({ author: 'Adam' })).toHaveLength(1);
  });
});
