import type { Knex } from 'knex';
import { createLake, INGEST_CONFIG } from './__testUtils__/createLake';
import { dumpLake } from './__testUtils__/dumpLake';
import {
  aChange,
  aDeployment,
  anIncident,
  at,
  shaOf,
} from './__testUtils__/events';
import { Replayer, ReplayProgress } from './Replayer';
import { RawDeliveryMapper } from './replayStages';
import { lakeDatabases } from './__testUtils__/lakeDatabases';

const databases = lakeDatabases();

describe.each(databases.eachSupportedId())('on %s', databaseId => {
  async function start(mapper?: RawDeliveryMapper) {
    const lake = await createLake(await databases.init(databaseId));
    const replayer = new Replayer({
      ...lake,
      config: INGEST_CONFIG,
      mapper,
      now: () => at(100_000),
    });
    return { ...lake, replayer };
  }

  const deployments = Array.from({ length: 600 }, (_, index) =>
    aDeployment({
      externalId: `${index}`,
      repository: 'acme/shop',
      commit: { sha: shaOf(index) },
      changes: index % 2 ? [shaOf(index)] : undefined,
    }),
  );

  it('recreates lost and corrupt records, and no others', async () => {
    const { knex, send, replayer } = await start();
    await send(...deployments);
    await send(
      aChange(),
      anIncident({ deployment: { source: 'ci', externalId: '7' } }),
    );
    const dump = await dumpLake(knex);
    await knex('dirty_marks').delete();
    await replayer.replay();
    expect(await knex('dirty_marks').select()).toEqual([]);

    await knex('deployments').update({ version: 'spoilt', counted: 0 });
    await knex('deployments').where('external_id', 'like', '5%').delete();
    await knex('changes').delete();
    await knex('incidents').update({ service_id: null });
    await replayer.replay();
    expect(await dumpLake(knex)).toEqual(dump);
    expect(await knex('dirty_marks').select()).not.toEqual([]);
  });

  it('reports its progress, and resumes from there', async () => {
    const { send, replayer, knex } = await start();
    await send(...deployments);
    const all: ReplayProgress[] = [];
    await replayer.replay({ onProgress: progress => all.push(progress) });
    expect(all.map(({ stage, done, total }) => [stage, done, total])).toEqual([
      ['records', 500, 600],
      ['records', 600, 600],
    ]);

    await knex('deployments').update({ version: 'spoilt' });
    const rest: ReplayProgress[] = [];
    await replayer.replay({
      from: all[0].cursor,
      onProgress: progress => rest.push(progress),
    });
    expect(rest.map(({ done }) => done)).toEqual([100]);
    const [{ count }] = await knex('deployments')
      .where('version', '')
      .count({ count: '*' });
    expect(Number(count)).toBe(100);
  });

  it('parses stored deliveries again', async () => {
    let suffix = '';
    const mapper: RawDeliveryMapper = ({ body, key }) => {
      if (body === 'ping') {
        return { items: [], ignored: 'A ping' };
      }
      if (body === 'broken') {
        throw new Error('The body is not JSON');
      }
      const event = aDeployment({ externalId: `${body}${suffix}` });
      return { items: [{ event: { ...event, triggeredBy: key.slice(0, 1) } }] };
    };
    const { knex, service, send, replayer } = await start(mapper);
    for (const [key, body] of [
      ['a1', '1'],
      ['a2', '1'],
      ['b1', '2'],
      ['c1', 'ping'],
      ['d1', 'broken'],
    ]) {
      await service.ingestDelivery(
        { channel: 'test', type: 'run', key, body },
        body.length > 1
          ? []
          : mapper({ channel: '', type: '', key, body }).items,
      );
    }
    await send(aDeployment({ externalId: 'by hand' }));
    const ids = async () =>
      (await dumpLake(knex)).deployments.map(row => row.external_id);
    const before = await dumpLake(knex);
    await replayer.replay();
    expect(await dumpLake(knex)).toEqual(before);
    expect(await ids()).toEqual(['1', '2', 'by hand']);

    suffix = '-new';
    await replayer.replay();
    await replayer.replay();
    expect(await ids()).toEqual(['1-new', '2-new', 'by hand']);
    const outcomes = await knex('lake_deliveries')
      .orderBy('id')
      .select('outcome', 'reason');
    expect(outcomes.slice(2)).toEqual([
      { outcome: 'accepted', reason: null },
      { outcome: 'ignored', reason: 'A ping' },
      { outcome: 'rejected', reason: 'The body is not JSON' },
    ]);
  });

  it('reads only a few large bodies at a time, and all that were not emptied', async () => {
    const { knex, service, replayer } = await start(({ body }) => ({
      items: [{ event: aDeployment({ externalId: body.slice(0, 1) }) }],
    }));
    for (const key of ['a', 'b', 'c', 'd', 'e', 'f']) {
      const delivery = { channel: 'test', type: 'run', key, body: key };
      await service.ingestDelivery(delivery, []);
    }
    const large = (letter: string) => letter.repeat(1_500_000);
    for (const key of ['b', 'c', 'd']) {
      await knex('lake_deliveries')
        .where({ delivery_key: key })
        .update({ body: large(key) });
    }
    await knex('lake_deliveries')
      .where({ delivery_key: 'a' })
      .update({ outcome: 'emptied', body: '' });
    const done: number[] = [];
    await replayer.replay({
      onProgress: progress =>
        progress.stage === 'deliveries' && done.push(progress.done),
    });
    expect(done).toEqual([2, 5]);
    expect(
      (await dumpLake(knex)).deployments.map(row => row.external_id),
    ).toEqual(['b', 'c', 'd', 'e', 'f']);
  });

  it('runs concurrently with ingestion', async () => {
    const { knex, send, replayer } = await start();
    await Promise.all([
      ...Array.from({ length: 20 }, (_, index) =>
        send(...deployments.slice(index * 30, index * 30 + 30)),
      ),
      replayer.replay(),
      replayer.replay(),
    ]);
    const expected = await createLake(await databases.init(databaseId));
    await expected.send(...deployments);
    expect(await dumpLake(knex)).toEqual(await dumpLake(expected.knex));
  });
});

const postgres = lakeDatabases(['POSTGRES_18']);

describe.each(postgres.eachSupportedId())('on a large %s', databaseId => {
  it('finds the deliveries of a chunk by their ids', async () => {
    const lake = await createLake(await postgres.init(databaseId));
    const { knex } = lake;
    await knex.raw(
      `INSERT INTO lake_deliveries
         (channel, type, delivery_key, body, context, received_at, outcome)
       SELECT 'test', 'run', n, '{}', '{}', n, 'accepted'
       FROM generate_series(1, 20000) n`,
    );
    await knex.raw('ANALYZE lake_deliveries');
    const statements: { sql: string; bindings: Knex.RawBinding[] }[] = [];
    knex.on('query', statement => statements.push(statement));
    const mapper = () => ({ items: [] });
    const from = JSON.stringify({ stage: 'deliveries', position: 19_990 });
    await new Replayer({ ...lake, config: INGEST_CONFIG, mapper }).replay({
      from,
    });
    const [{ sql, bindings }, ...more] = statements.filter(statement =>
      /lake_deliveries.*order by (?!.*limit)/is.test(statement.sql),
    );
    expect(more).toEqual([]);
    const explained = `EXPLAIN ${sql.replace(/\$\d+/g, '?')}`;
    const { rows } = await knex.raw(explained, bindings);
    // No join, which would compare all rows of a large table.
    expect(rows[0]['QUERY PLAN']).toMatch(/^Index Scan .* rows=\d{1,3} /);
  });
});
