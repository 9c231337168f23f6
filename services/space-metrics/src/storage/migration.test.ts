import {
  migrateUpTo,
  openTestDatabase,
  testDatabaseClients,
} from '@slipway/service-kit/testing';
import {
  clientOf,
  startSpaceMetrics,
} from '../__testUtils__/startSpaceMetrics.ts';

const DAY_MS = 24 * 3_600_000;
const NOW = Date.parse('2026-11-20T12:00:00Z');
const TODAY = Math.floor(NOW / DAY_MS);
const PEOPLE = [1, 2, 3, 4, 5, 6];

const directory = new URL('../../migrations/', import.meta.url);

it.each(testDatabaseClients())(
  'migrates a database of the first version on %s',
  async databaseClient => {
    const { database, dispose } = await openTestDatabase(databaseClient);
    const { knex } = database;
    await migrateUpTo(database, { last: '20261121120000', directory });
    await knex('people').insert(
      PEOPLE.map(id => ({ id, hash: `hash ${id}`, first_commit_day: null })),
    );
    if (databaseClient === 'postgres') {
      await knex.raw(`SELECT setval('people_id_seq', ${PEOPLE.length})`);
    }
    const record = (person: number, day: number) => ({
      id: `${person}-${day}`,
      person,
      team: person < 6 ? 'payments' : 'shop',
      day,
      occurred_at: day * DAY_MS,
    });
    // Days of two adjacent spans of 31, including the last day of a span.
    const spanEnd = Math.floor(TODAY / 31) * 31 - 1;
    const days = [spanEnd - 30, spanEnd, spanEnd + 1];
    for (const person of PEOPLE) {
      for (const day of days) {
        await knex('pulse_surveys').insert({
          ...record(person, day),
          overall_satisfaction: 4,
          productivity_this_week: 3,
          recommend: null,
          blockers: 'slow builds',
          wins: '',
        });
        await knex('presence').insert({
          subject: 'survey',
          team: record(person, day).team,
          day,
          person,
          people: 1,
        });
      }
    }
    // Two teams on one day count as a single day over all teams.
    await knex('presence').insert({
      subject: 'survey',
      team: 'shop',
      day: days[0],
      person: 1,
      people: 1,
    });
    // Indistinguishable people have no spans.
    await knex('presence').insert({
      subject: 'activity',
      team: 'shop',
      day: days[0],
      person: 0,
      people: 3,
    });
    await knex('daily_totals').insert(
      ['*', 'payments'].map(team => ({
        team,
        measure: 'survey.count',
        day: days[0],
        total: 6,
      })),
    );
    const event = {
      source: 'forge',
      team: 'payments',
      occurred_at: days[0] * DAY_MS,
      day: days[0],
      amount: 1,
    };
    await knex('activity_events').insert([
      { ...event, event_id: 'a', kind: 'commit', person: 1, people: 0 },
      { ...event, event_id: 'b', kind: 'commit', person: null, people: 0 },
      {
        ...event,
        event_id: 'c',
        kind: 'build',
        person: null,
        people: 0,
        result: 'success',
      },
    ]);
    await knex('release_states').insert({
      subject: 'survey',
      team: '*',
      last_end: days[0],
    });
    await knex('settings').insert({ name: 'cycleDays', value: '14' });
    await knex('pulse_reminders').insert({
      hash: 'hash 1',
      reminded_at: NOW - DAY_MS,
    });

    const service = await startSpaceMetrics({ database, now: () => NOW });

    const spans = await knex('presence_spans')
      .where({ subject: 'survey', person: 1 })
      .orderBy(['team', 'span']);
    expect(
      spans.map(({ team, span, days: bits }) => [team, span, Number(bits)]),
    ).toEqual([
      ['*', Math.floor(days[0] / 31), 2 ** 30 + 1],
      ['*', Math.floor(days[2] / 31), 1],
      ['payments', Math.floor(days[0] / 31), 2 ** 30 + 1],
      ['payments', Math.floor(days[2] / 31), 1],
      ['shop', Math.floor(days[0] / 31), 1],
    ]);
    expect(await knex('presence_spans').where({ person: 0 })).toEqual([]);
    const events = await knex('activity_events').orderBy('event_id');
    expect(
      events.map(({ event_id, people, batch }) => [event_id, people, batch]),
    ).toEqual([
      ['a', 1, null],
      ['b', 0, null],
      ['c', 0, 0],
    ]);
    // Waiting records either still wait or were released when the service started.
    expect(await knex('pulse_surveys').count({ n: '*' }).first()).toEqual({
      n: expect.toSatisfy(n => Number(n) === PEOPLE.length * days.length),
    });
    expect(await knex('pulse_reminders')).toHaveLength(1);
    expect(
      (await knex('daily_totals').where({ day: days[0] }).orderBy('team')).map(
        ({ team, total }) => [team, Number(total)],
      ),
    ).toEqual([
      ['*', 6],
      ['payments', 6],
    ]);

    const client = clientOf(service);
    expect((await client.survey('new user', 4)).status).toBe(201);
    for (const dimension of [
      'satisfaction',
      'performance',
      'activity',
      'communication',
      'efficiency',
    ]) {
      const { status } = await client.get(`/api/v1/metrics/space/${dimension}`);
      expect([dimension, status]).toEqual([dimension, 200]);
    }
    await service.stop();
    await dispose();
  },
);
