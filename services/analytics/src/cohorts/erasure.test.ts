import type { Database } from '@slipway/service-kit';
import {
  openTestDatabase,
  testDatabaseClients,
} from '@slipway/service-kit/testing';
import { defineAnalytics } from '../service.ts';
import { startCohorts } from './__testUtils__/startCohorts.ts';

describe.each(testDatabaseClients())('fixed lists in %s', client => {
  let suite: Awaited<ReturnType<typeof startCohorts>>;
  let database: Database;
  let dispose: () => Promise<void>;

  /** Returns the ids of a list, including those of people without events. */
  const idsOf = (cohort: number) =>
    database
      .knex('cohort_ids')
      .where({ cohort_id: cohort })
      .pluck<string[]>('distinct_id');

  beforeAll(async () => {
    const opened = await openTestDatabase(client, defineAnalytics());
    ({ database, dispose } = opened);
    suite = await startCohorts({ database });
  });

  afterAll(async () => {
    await suite.stop();
    await dispose();
  });

  it('lose the people of a fixed list who are erased, and never get them again', async () => {
    await suite.client.batch([
      { event: 'opened', distinct_id: 'gone' },
      { event: 'opened', distinct_id: 'stays' },
    ]);
    const ids = ['gone', 'stays'];
    const id = await suite.create({ distinct_ids: ids });
    await suite.ask('DELETE', 'persons/gone', { as: 'ada' });
    await vi.waitFor(
      async () => {
        const { body } = await suite.ask('GET', 'erasures', { as: 'ada' });
        expect(body.erasures[0]).toHaveProperty('done_at');
      },
      { timeout: 20_000 },
    );
    const { body } = await suite.ask('POST', `cohorts/${id}/duplicate`);
    for (const each of [id, body.id]) {
      const people = await suite.ask('GET', `cohorts/${each}/persons`);
      expect(people.body).toMatchObject({
        count: 1,
        persons: [{ id: 'stays' }],
      });
    }
    expect(
      await suite.ask('POST', 'cohorts', {
        payload: { name: 'Again', distinct_ids: ['gone'] },
      }),
    ).toMatchObject({ status: 400, body: { attr: 'distinct_ids' } });
  });

  it('lose a merged person by each of the ids', async () => {
    await suite.client.batch([
      { event: 'opened', distinct_id: 'tablet' },
      {
        event: '$identify',
        distinct_id: 'mia',
        properties: { $anon_distinct_id: 'tablet' },
      },
    ]);
    const id = await suite.create({ distinct_ids: ['tablet', 'mia', 'tim'] });
    await suite.ask('DELETE', 'persons/mia', { as: 'ada' });
    await vi.waitFor(async () => expect(await idsOf(id)).toEqual(['tim']), {
      timeout: 20_000,
    });
  });

  it('lose an erased id that is in nothing but a list', async () => {
    const id = await suite.create({ distinct_ids: ['listed', 'kept'] });
    const erase = () => suite.ask('DELETE', 'persons/listed', { as: 'ada' });
    expect((await erase()).status).toBe(202);
    await vi.waitFor(async () => expect(await idsOf(id)).toEqual(['kept']), {
      timeout: 20_000,
    });
    expect((await erase()).status).toBe(404);
  });

  it('do not gain erased people, and say so if there is nobody else to add', async () => {
    const id = await suite.create({ distinct_ids: ['unwanted', 'wanted'] });
    await suite.ask('DELETE', 'persons/unwanted', { as: 'ada' });
    const add = (...ids: string[]) =>
      suite.ask('PATCH', `cohorts/${id}`, {
        payload: { add_distinct_ids: ids },
      });
    expect(await add('unwanted')).toMatchObject({
      status: 400,
      body: { attr: 'add_distinct_ids' },
    });
    expect((await add('unwanted', 'third')).status).toBe(200);
    await vi.waitFor(
      async () =>
        expect((await idsOf(id)).toSorted()).toEqual(['third', 'wanted']),
      { timeout: 20_000 },
    );
    const { body } = await suite.ask('GET', `cohorts/${id}`);
    expect(body.count).toBe(2);
  });

  it('are copied without people whose erasure has begun', async () => {
    const id = await suite.create({ distinct_ids: ['asked', 'other'] });
    await suite.ask('DELETE', 'persons/asked', { as: 'ada' });
    // Add the id again, as if the list had been read before the removal.
    const row = { cohort_id: id, project_id: 'shop', distinct_id: 'asked' };
    await database.knex('cohort_ids').insert(row).onConflict().ignore();
    const { body } = await suite.ask('POST', `cohorts/${id}/duplicate`);
    expect(await idsOf(body.id)).toEqual(['other']);
  });
});
