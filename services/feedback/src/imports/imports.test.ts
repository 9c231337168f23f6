import { testDatabaseClients } from '@slipway/service-kit/testing';
import { feedbackSuite } from '../__testUtils__/feedbackSuite.ts';

const record = {
  key: '1',
  created_at: '2026-10-30T10:00:00Z',
  rating: 2,
  category: 'Performance',
  message: 'The product page is far too slow',
  component: 'component:demo/product-page',
  author: 'user:demo/mira',
  author_name: 'Mira Abbott',
};

describe.each(testDatabaseClients())('imports on %s', databaseClient => {
  const suite = feedbackSuite(databaseClient);
  const send = (...feedback: object[]) =>
    suite.clients.ada.call('POST', '/api/v1/feedback/imports', { feedback });
  const total = async () =>
    (await suite.clients.ada.get('/api/v1/feedback')).body.pagination.total;

  it('imports records with their times, once each', async () => {
    const resolved = {
      ...record,
      key: '2',
      status: 'resolved',
      status_at: '2026-11-01T10:00:00Z',
      notes: 'Rolled back',
    };
    expect(await send(record, resolved)).toMatchObject({
      status: 201,
      body: { imported: 2 },
    });
    expect((await send(record)).body).toEqual({ imported: 0 });
    const { body } = await suite.clients.ada.get(
      '/api/v1/feedback?status=resolved',
    );
    expect(body.feedback).toMatchObject([
      {
        created_at: '2026-10-30T10:00:00.000Z',
        sentiment: 'negative',
        user: { name: 'Mira Abbott', verified: true },
      },
    ]);
    const { id } = body.feedback[0];
    const detail = await suite.clients.ada.get(`/api/v1/feedback/${id}`);
    expect(detail.body.history).toMatchObject([
      { at: '2026-11-01T10:00:00.000Z', to: 'resolved', notes: 'Rolled back' },
    ]);
  });

  describe('of votes', () => {
    const voters = (...names: string[]) =>
      names.map(name => ({
        user: `user:demo/${name}`,
        voted_at: '2026-11-02T10:00:00Z',
      }));
    const wish = {
      ...record,
      key: 'wish',
      status: 'in_progress',
      status_at: '2026-11-05T10:00:00Z',
      voting: {
        title: 'A faster page',
        opened_at: '2026-11-01T10:00:00Z',
        public_note: { text: ' Soon ', written_at: '2026-11-05T11:00:00Z' },
        votes: voters('lin', 'mira', 'Lin'),
      },
    };
    const duplicate = {
      ...record,
      key: 'duplicate',
      status_at: '2026-11-04T10:00:00Z',
      voting: { title: 'Pages are slow', votes: voters('lin', 'noor') },
      merged_into: 'wish',
    };
    const wishes = async () =>
      (await suite.clients.grace.get('/api/v1/feedback/voting')).body.feedback;

    it('opens records for voting, and merges duplicates', async () => {
      expect((await send(duplicate, wish)).body).toEqual({ imported: 2 });
      expect((await send(duplicate, wish)).body).toEqual({ imported: 0 });
      const [open, ...others] = await wishes();
      expect(others).toEqual([]);
      expect(open).toMatchObject({
        title: 'A faster page',
        status: 'in_progress',
        votes: 3,
        opened_at: '2026-11-01T10:00:00.000Z',
        public_note: { text: 'Soon', written_at: '2026-11-05T11:00:00.000Z' },
      });
      const { ada } = suite.clients;
      const { body } = await ada.get('/api/v1/feedback?status=archived');
      expect(body.feedback).toMatchObject([{ merged_into: open.id }]);
      const path = `/api/v1/feedback/${body.feedback[0].id}`;
      expect((await ada.get(path)).body.history).toMatchObject([
        { at: '2026-11-04T10:00:00.000Z', to: 'archived' },
      ]);
      await ada.call('DELETE', `${path}/merge`);
      expect(await wishes()).toMatchObject([
        { votes: 2, title: expect.any(String) },
        { votes: 2, title: expect.any(String) },
      ]);
      expect(await suite.database.knex('kit_queue')).toEqual([]);
      await ada.call('DELETE', '/api/v1/namespaces/demo');
      for (const table of ['feedback_votes', 'feedback_duplicate_votes']) {
        expect(await suite.database.knex(table)).toEqual([]);
      }
    });

    it('imports again what an admin has changed, without a duplicate of what was closed', async () => {
      await send(duplicate, wish);
      const { ada } = suite.clients;
      const [{ id }] = await wishes();
      const { body } = await ada.get('/api/v1/feedback?status=archived');
      await ada.call('DELETE', `/api/v1/feedback/${body.feedback[0].id}`);
      await ada.call('DELETE', `/api/v1/feedback/${id}/voting`);
      expect(await send(duplicate, wish)).toMatchObject({
        status: 201,
        body: { imported: 0 },
      });
      expect(await total()).toBe(1);
      await ada.call('PUT', `/api/v1/feedback/${id}/voting`, { title: 'A' });
      expect((await send(duplicate, wish)).body).toEqual({ imported: 1 });
    });

    it('adds the vote of a sender under the reference that the portal uses', async () => {
      const { voting: _, ...unopened } = duplicate;
      await send(wish, { ...unopened, author: 'User:Demo/Noor' });
      const [{ id, votes }] = await wishes();
      const { body } = await suite.clients.ada.get(
        `/api/v1/feedback/${id}/votes`,
      );
      expect(votes).toBe(3);
      expect(body.votes.map(({ user }: { user: string }) => user)).toContain(
        'user:demo/noor',
      );
    });

    it.each([
      [{ merged_into: 'nothing' }, 'merged_into'],
      [{ merged_into: 'duplicate' }, 'merged_into'],
      [{ status: 'archived' }, 'status'],
      [{ notes: 'Known' }, 'notes'],
      [
        { voting: { title: 'A', opened_at: '2026-10-01T10:00:00Z' } },
        'voting.opened_at',
      ],
      [
        { voting: { title: 'A', public_note: { text: ' ' } } },
        'voting.public_note.text',
      ],
      [
        { voting: { title: 'A', votes: [{ user: 'group:demo/x' }] } },
        'voting.votes.0.user',
      ],
      [
        {
          voting: {
            title: 'A',
            opened_at: '2026-11-03T10:00:00Z',
            votes: voters('lin'),
          },
        },
        'voting.votes.0.voted_at',
      ],
    ])('rejects %j', async (change, field) => {
      const answer = await send(wish, { ...duplicate, ...change });
      expect(answer.status).toBe(400);
      expect(answer.body.error.details.field).toBe(`feedback.1.${field}`);
      expect(await total()).toBe(0);
    });
  });

  it('deletes only feedback about a namespace, from any sender', async () => {
    await suite.clients.nobody.submit();
    await suite.clients.nobody.submit({
      context: { component: 'Component:Demo/Product-Page' },
    });
    await suite.clients.nobody.submit({
      context: { component: 'component:demonstration/x' },
    });
    await send(record);
    const answer = await suite.clients.ada.call(
      'DELETE',
      '/api/v1/namespaces/demo',
    );
    expect(answer).toMatchObject({ status: 200, body: { deleted: 2 } });
    expect(await total()).toBe(2);
  });

  it.each([
    [{ category: 'Weather' }, 'feedback.0.category'],
    [{ created_at: '2026-12-30T10:00:00Z' }, 'feedback.0.created_at'],
    [
      { status: 'resolved', status_at: '2026-12-30T10:00:00Z' },
      'feedback.0.status_at',
    ],
    [
      { status: 'resolved', status_at: '2026-10-29T10:00:00Z' },
      'feedback.0.status_at',
    ],
    [{ rating: 9 }, 'feedback.0.rating'],
    [{ status: 'validated' }, 'feedback.0.status'],
  ])('rejects %j and stores nothing', async (change, field) => {
    const answer = await send(
      { ...record, ...change },
      { ...record, key: '2' },
    );
    expect(answer.status).toBe(400);
    expect(answer.body.error.details.field).toBe(field);
    expect(await total()).toBe(0);
  });

  it('is for admins', async () => {
    const url = '/api/v1/feedback/imports';
    const { nobody, grace } = suite.clients;
    expect((await nobody.call('POST', url, {})).status).toBe(401);
    expect((await grace.call('POST', url, {})).status).toBe(403);
    const path = '/api/v1/namespaces/demo';
    expect((await grace.call('DELETE', path)).status).toBe(403);
  });
});
