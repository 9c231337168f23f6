import { testDatabaseClients } from '@slipway/service-kit/testing';
import {
  automationSuite,
  RUN,
  validated,
} from '../__testUtils__/automationSuite.ts';
import { errorAnswer } from '../__testUtils__/feedbackSuite.ts';
import { type Client, PNG } from '../__testUtils__/startFeedback.ts';
import { openVoting } from '../__testUtils__/thread.ts';
import { EmbeddedTracker } from '../automation/Tracker.ts';
import { markerOf } from '../issues/Issue.ts';

const pathOf = (id: string) => `/api/v1/feedback/${id}`;

const remove = (client: Client, id: string) =>
  client.call('DELETE', pathOf(id));

describe.each(testDatabaseClients())('deletion on %s', databaseClient => {
  const suite = automationSuite(databaseClient);

  const counts = async () => {
    const tables = ['feedback', 'feedback_history', 'screenshots', 'issues'];
    const rows = await Promise.all(
      [...tables, 'kit_queue'].map(table =>
        suite.database.knex(table).count({ total: '*' }).first(),
      ),
    );
    return rows.map(row => Number(row?.total));
  };

  it('removes everything about feedback, and records who did so', async () => {
    const clients = await suite.start();
    const { ada, automation, grace } = clients;
    const tracked = await validated(clients);
    await automation.post(RUN);
    const waiting = await validated(clients);
    const { body } = await grace.submit({ screenshot: PNG });
    for (const id of [tracked, waiting, body.id]) {
      expect((await remove(ada, id)).status).toBe(204);
      expect((await ada.get(pathOf(id))).status).toBe(404);
    }
    expect(await counts()).toEqual([0, 0, 0, 0, 0]);
    const audit = await ada.get('/api/v1/audit?q=delete');
    expect(audit.body.entries[0]).toMatchObject({
      by: 'user:default/ada',
      action: 'Delete feedback',
      target: body.id,
    });
  });

  it('is not for senders once others can vote for their feedback', async () => {
    const { ada, grace } = await suite.start();
    const { id } = (await grace.submit()).body;
    await openVoting(ada, id, 'A faster search');
    expect(await remove(grace, id)).toMatchObject(errorAnswer(409, 'CONFLICT'));
    expect((await remove(ada, id)).status).toBe(204);
  });

  it('removes an issue that its record does not refer to yet', async () => {
    const clients = await suite.start();
    const id = await validated(clients);
    await suite.database.knex('issues').insert({
      marker: markerOf(id),
      title: 'Search',
      body: 'The words of grace',
      state: 'open',
      created_at: Date.now(),
    });
    await remove(clients.ada, id);
    expect(await counts()).toEqual([0, 0, 0, 0, 0]);
  });

  it('leaves no issue when feedback is deleted while it becomes one', async () => {
    const clients = await suite.start();
    const id = await validated(clients);
    const create = EmbeddedTracker.prototype.create;
    const creation = vi
      .spyOn(EmbeddedTracker.prototype, 'create')
      .mockImplementationOnce(async function deleteFirst(
        this: EmbeddedTracker,
        draft,
      ) {
        await remove(clients.ada, id);
        return create.call(this, draft);
      });
    expect((await clients.automation.post(RUN)).body).toEqual({
      processed: 1,
      tracker_issues_created: [],
      errors: [],
    });
    creation.mockRestore();
    expect(await counts()).toEqual([0, 0, 0, 0, 0]);
  });

  it('lets senders delete their own until somebody acts on it', async () => {
    const { ada, grace } = await suite.start();
    const { id } = (await grace.submit()).body;
    expect((await remove(grace, id)).status).toBe(204);
    const other = (await grace.submit()).body.id;
    await ada.move(other, 'archived');
    expect(await remove(grace, other)).toMatchObject(
      errorAnswer(409, 'CONFLICT'),
    );
    expect((await ada.get(pathOf(other))).body.status).toBe('archived');
  });

  it('is refused for the feedback of others, and without a session', async () => {
    const { ada, automation, grace, nobody } = await suite.start();
    const ids = [await ada.submit(), await nobody.submit()];
    for (const { body } of ids) {
      expect((await remove(grace, body.id)).status).toBe(403);
      expect((await remove(nobody, body.id)).status).toBe(401);
      expect((await remove(automation, body.id)).status).toBe(401);
    }
    expect((await remove(ada, 'fb_none')).status).toBe(404);
    expect((await counts())[0]).toBe(2);
  });
});
