import {
  migrateUpTo,
  openTestDatabase,
  testDatabaseClients,
} from '@slipway/service-kit/testing';
import { clientsOf, startFeedback } from '../__testUtils__/startFeedback.ts';
import { usePortal } from '../__testUtils__/feedbackSuite.ts';
import { RUN } from '../__testUtils__/automationSuite.ts';
import { Notices } from '../notices/Notices.ts';
import { senderNotices } from '../notices/senderNotices.ts';
import { FeedbackStore } from './FeedbackStore.ts';

const NOW = Date.parse('2026-11-22T12:00:00Z');
const DAY_MS = 24 * 3_600_000;

const portal = usePortal();

/** Creates a row of the previous version that was submitted some days ago. */
function row(id: string, status: string, days: number) {
  const at = NOW - days * DAY_MS;
  return {
    id,
    rating: 2,
    rating_inferred: false,
    category: 'UI/UX',
    message: `Message of ${id}`,
    occurred_at: at,
    author: 'user:default/grace',
    anonymous: false,
    source: 'api',
    sentiment: 'negative',
    priority: 'high',
    status,
    created_at: at,
    updated_at: at,
  };
}

it.each(testDatabaseClients())(
  'migrates a database of the previous version on %s',
  async client => {
    const { database, dispose } = await openTestDatabase(client);
    const { knex } = database;
    await migrateUpTo(database, {
      last: '20261122000000',
      directory: new URL('../../migrations/', import.meta.url),
    });
    for (const each of [
      row('untried', 'validated', 1),
      row('oldest', 'validated', 9),
      row('tried', 'validated', 5),
      row('held', 'validated', 6),
      row('refused', 'rejected', 7),
      row('resolved', 'resolved', 8),
      { ...row('late', 'resolved', 8), author: 'user:default/ada' },
      { ...row('issued', 'in_progress', 9), issue_number: 1 },
    ]) {
      await knex('feedback').insert(each);
    }
    const intent = (id: string, leasedUntil: number) => ({
      feedback_id: id,
      lease: `lease of ${id}`,
      leased_until: leasedUntil,
      intended_at: NOW - DAY_MS,
      attempts: 1,
    });
    await knex('issue_intents').insert([
      intent('tried', 0),
      intent('held', NOW + 1_000),
      intent('refused', NOW - 1_000),
    ]);
    // The issue that the attempt on `tried` created before it was killed.
    await knex('issues').insert({
      marker: 'slipway-feedback: tried',
      title: 'Message of tried',
      body: '',
      state: 'open',
      created_at: NOW - DAY_MS,
    });
    const notice = { created_at: NOW, attempts: 3 };
    await knex('notices').insert([
      { ...notice, feedback_id: 'resolved', next_attempt_at: NOW },
      { ...notice, feedback_id: 'late', next_attempt_at: NOW + 1_000 },
    ]);

    const clock = { now: NOW };
    const now = () => clock.now;
    const service = await startFeedback(portal(), { database, now });
    const { ada, automation } = await clientsOf(service, portal());
    const made = async () => {
      const { body } = await automation.post(RUN);
      return body.tracker_issues_created.map(
        (one: { feedback_id: string }) => one.feedback_id,
      );
    };
    // Oldest first; leases of the previous process are kept.
    expect(await made()).toEqual(['oldest', 'tried', 'untried']);
    expect((await ada.get('/api/v1/feedback/tried')).body).toMatchObject({
      status: 'in_progress',
      tracker_issue: { number: 1 },
    });
    clock.now += 1_000;
    expect(await made()).toEqual(['held']);
    // The attempt is kept, although the record has changed status since.
    expect(
      await knex('kit_queue').where({ queue: 'tracker-intents' }),
    ).toMatchObject([{ id: 'refused', state: 'cancelled', attempts: 1 }]);
    await ada.move('refused', 'validated');
    expect(await made()).toEqual(['refused']);

    clock.now = NOW;
    const told: string[] = [];
    const notices = new Notices({
      sources: [senderNotices(new FeedbackStore({ database }))],
      notifier: { send: async ({ user }) => void told.push(user) },
      logger: { info: vi.fn(), warn: vi.fn() },
      now,
    });
    expect(await notices.send()).toBe(1);
    clock.now += 1_000;
    expect(await notices.send()).toBe(1);
    expect(told).toEqual(['user:default/grace', 'user:default/ada']);
    expect(await knex('kit_queue')).toEqual([]);
    await service.stop();

    // Rolls back, in case the previous version has to run again.
    await knex('kit_queue').insert({
      queue: 'sender-notices',
      id: 'resolved',
      lane: 'resolved',
      payload: '{}',
      state: 'waiting',
      attempts: 2,
      created_at: 1,
      due_at: 5,
    });
    await knex.migrate.down({
      name: '20261122190000_queues.ts',
      directory: new URL('../../migrations/', import.meta.url).pathname,
      loadExtensions: ['.ts'],
    });
    const [back] = await knex('notices');
    expect({
      ...back,
      next_attempt_at: Number(back.next_attempt_at),
    }).toMatchObject({
      feedback_id: 'resolved',
      attempts: 2,
      next_attempt_at: 5,
    });
    expect(await knex('issue_intents')).toEqual([]);
    await dispose();
  },
);

it.each(testDatabaseClients())(
  'adds replies to the feedback of the previous version on %s, and removes them',
  async client => {
    const { database, dispose } = await openTestDatabase(client);
    const { knex } = database;
    const directory = new URL('../../migrations/', import.meta.url);
    await migrateUpTo(database, { last: '20261122190000', directory });
    await knex('feedback').insert(row('earlier', 'new', 1));

    const service = await startFeedback(portal(), { database });
    const { ada } = await clientsOf(service, portal());
    const path = '/api/v1/feedback/earlier';
    const sent = await ada.post(`${path}/replies`, { message: 'Since when?' });
    expect(sent.status).toBe(201);
    expect((await ada.get(path)).body.reply_count).toBe(1);
    await service.stop();

    await knex.migrate.down({
      name: '20261129120000_replies.ts',
      directory: directory.pathname,
      loadExtensions: ['.ts'],
    });
    const [before] = await knex('feedback');
    expect(Object.keys(before)).not.toContain('reply_count');
    expect(before).toMatchObject({ id: 'earlier', status: 'new' });
    expect(await knex('kit_queue')).toEqual([]);
    await dispose();
  },
);

it.each(testDatabaseClients())(
  'adds votes to the feedback of the previous version on %s, and removes them',
  async client => {
    const { database, dispose } = await openTestDatabase(client);
    const { knex } = database;
    const directory = new URL('../../migrations/', import.meta.url);
    await migrateUpTo(database, { last: '20261129120000', directory });
    await knex('feedback').insert(row('earlier', 'new', 1));
    await knex('feedback_replies').insert({
      id: 'rp_1',
      feedback_id: 'earlier',
      author: 'user:default/ada',
      author_name: 'Ada',
      from_sender: false,
      internal: false,
      message: 'Since when?',
      created_at: NOW,
    });

    const service = await startFeedback(portal(), { database });
    const { ada } = await clientsOf(service, portal());
    const path = '/api/v1/feedback/earlier';
    expect((await ada.get(path)).body.replies).toHaveLength(1);
    await ada.put(`${path}/voting`, { title: 'A' });
    expect((await ada.call('PUT', `${path}/vote`)).body.votes).toBe(2);
    await ada.move('earlier', 'validated');
    await service.stop();

    await knex.migrate.down({
      name: '20261129220000_public_notes.ts',
      directory: directory.pathname,
      loadExtensions: ['.ts'],
    });
    expect(Object.keys((await knex('feedback'))[0])).not.toContain(
      'public_note',
    );
    await knex.migrate.down({
      name: '20261129213000_duplicates.ts',
      directory: directory.pathname,
      loadExtensions: ['.ts'],
    });
    const [voted] = await knex('feedback');
    expect(voted).toMatchObject({ votes: 2, merged_into: null });
    expect(Object.keys(voted)).not.toContain('duplicate_of');
    expect(Object.keys((await knex('feedback_votes'))[0])).not.toContain(
      'from_duplicate',
    );
    await knex.migrate.down({
      name: '20261129180000_votes.ts',
      directory: directory.pathname,
      loadExtensions: ['.ts'],
    });
    const [before] = await knex('feedback');
    expect(Object.keys(before)).not.toContain('votes');
    const [kept] = await knex('feedback_replies');
    expect(Object.keys(kept)).not.toContain('request_key');
    expect(await knex('kit_queue').where({ queue: 'vote-notices' })).toEqual(
      [],
    );
    await dispose();
  },
);
