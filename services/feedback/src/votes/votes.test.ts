import { testDatabaseClients } from '@slipway/service-kit/testing';
import {
  errorAnswer,
  feedbackSuite,
  usePortal,
} from '../__testUtils__/feedbackSuite.ts';
import {
  type Client,
  clientsOf,
  PNG,
  startFeedback,
} from '../__testUtils__/startFeedback.ts';
import {
  closeVoting,
  openVoting,
  pathOf,
  takeBack,
  vote,
} from '../__testUtils__/thread.ts';

const VOTING = '/api/v1/feedback/voting';
const SECRET = 'Zanzibar is what my manager calls this';

describe.each(testDatabaseClients())('votes on %s', databaseClient => {
  const suite = feedbackSuite(databaseClient);

  /** Sends feedback without a sender, and opens it for voting. */
  const opened = async (title: string, more: object = {}) => {
    const { id } = (await suite.clients.nobody.submit(more)).body;
    await openVoting(suite.clients.ada, id, title);
    return id as string;
  };
  const titles = async (client: Client, query = '') => {
    const { body } = await client.get(VOTING + query);
    return body.feedback.map((one: { title: string }) => one.title);
  };

  it('are for what an admin has opened, of which everyone sees nothing else', async () => {
    const { ada, grace, nobody } = suite.clients;
    const user = { name: 'Lin', email: 'lin@example.org' };
    const context = { page: '/secret', component: 'component:demo/secret' };
    const { id } = (
      await nobody.submit({ message: SECRET, user, context, screenshot: PNG })
    ).body;
    expect(await vote(grace, id)).toMatchObject(errorAnswer(404, 'NOT_FOUND'));
    expect(await titles(grace)).toEqual([]);
    expect(await openVoting(grace, id, 'Mine')).toMatchObject(
      errorAnswer(403, 'FORBIDDEN'),
    );
    suite.clock.now += 1_000;
    expect(await openVoting(ada, id, ' A faster search ')).toMatchObject({
      status: 200,
      body: { title: 'A faster search', votes: 0 },
    });
    const ballot = {
      id,
      title: 'A faster search',
      category: 'UI/UX',
      status: 'new',
      votes: 0,
      voted: false,
      open: true,
      opened_at: '2026-11-20T12:00:01.000Z',
    };
    expect((await grace.get(`${pathOf(id)}/voting`)).body).toEqual(ballot);
    expect((await grace.get(VOTING)).body.feedback).toEqual([ballot]);
    for (const path of [VOTING, `${pathOf(id)}/voting`]) {
      expect(await nobody.get(path)).toMatchObject(
        errorAnswer(401, 'UNAUTHENTICATED'),
      );
    }
    for (const q of ['Zanzibar', 'manager']) {
      expect(await titles(grace, `?q=${q}`)).toEqual([]);
    }
    expect(await titles(grace, '?q=SEARCH')).toEqual(['A faster search']);
    expect(await titles(grace, '?category=Other')).toEqual([]);
  });

  it('count once per user, and can be taken back, however often they are sent', async () => {
    const { ada, grace, nobody } = suite.clients;
    const id = await opened('A faster search');
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => vote(grace, id)),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
    expect(await vote(ada, id)).toMatchObject({
      body: { votes: 2, voted: true },
    });
    expect((await ada.get(pathOf(id))).body).toMatchObject({
      votes: 2,
      voting: { title: 'A faster search', open: true },
    });
    const gone = await Promise.all([takeBack(grace, id), takeBack(grace, id)]);
    expect(gone.map(({ status }) => status)).toEqual([204, 204]);
    expect((await grace.get(`${pathOf(id)}/voting`)).body).toMatchObject({
      votes: 1,
      voted: false,
    });
    expect((await vote(grace, id)).body).toMatchObject({ votes: 2 });
    for (const send of [vote, takeBack]) {
      expect((await send(nobody, id)).status).toBe(401);
      expect((await send(grace, 'fb_none')).status).toBe(404);
      const hidden = (await nobody.submit()).body.id;
      expect((await send(grace, hidden)).status).toBe(404);
    }
  });

  it('begin with that of the sender, unless the sender is unknown', async () => {
    const { ada, grace } = suite.clients;
    const { id } = (await grace.submit()).body;
    expect((await openVoting(ada, id, 'A')).body).toMatchObject({
      votes: 1,
      voted: false,
    });
    await takeBack(grace, id);
    await closeVoting(ada, id);
    expect((await openVoting(ada, id, 'A')).body).toMatchObject({ votes: 0 });
    await closeVoting(ada, id);
    // The sender no longer has a vote, and so may not see the title.
    expect((await grace.get(pathOf(id))).body.voting).toEqual({ open: false });
    expect((await ada.get(pathOf(id))).body.voting.title).toBe('A');
    const hidden = await grace.submit({ user: { anonymous: true } });
    const { body } = await openVoting(ada, hidden.body.id, 'B');
    expect(body).toMatchObject({ votes: 0 });
    const rows = await suite.database.knex('feedback_votes');
    expect(rows.filter(({ voter }) => voter !== null)).toEqual([]);
  });

  it('end when it is closed, resolved or archived: only its voters still see it', async () => {
    const { ada, grace } = suite.clients;
    const closed = await opened('Closed');
    const resolved = await opened('Resolved');
    await vote(grace, resolved);
    expect((await closeVoting(ada, closed)).status).toBe(204);
    await ada.move(resolved, 'resolved');
    expect(await titles(grace)).toEqual([]);
    expect(await titles(grace, '?voted=true')).toEqual(['Resolved']);
    for (const id of [closed, resolved]) {
      expect(await vote(grace, id)).toMatchObject(errorAnswer(409, 'CONFLICT'));
    }
    const seen = async (client: Client, id: string) => {
      const { status, body } = await client.get(`${pathOf(id)}/voting`);
      return [status, body.open];
    };
    expect(await seen(grace, closed)).toEqual([404, undefined]);
    expect(await seen(ada, closed)).toEqual([200, false]);
    expect(await seen(grace, resolved)).toEqual([200, false]);
    // Admins can still close it.
    expect((await ada.get(pathOf(resolved))).body.voting.open).toBe(true);
    expect((await ada.get(pathOf(closed))).body.voting.open).toBe(false);
    expect((await takeBack(grace, resolved)).status).toBe(204);
    await ada.move(resolved, 'in_progress');
    expect((await vote(grace, resolved)).body).toMatchObject({ votes: 1 });
  });

  it('sort and filter lists, with an order that later votes do not change', async () => {
    const { ada, grace } = suite.clients;
    const all: string[] = [];
    for (const title of ['A', 'B', 'C', 'D']) {
      suite.clock.now += 1_000;
      all.push(await opened(title));
    }
    await suite.clients.nobody.submit();
    suite.clock.now += 1_000;
    await vote(ada, all[0]);
    await vote(grace, all[0]);
    await vote(grace, all[1]);
    suite.clock.now += 1_000;
    const first = (await grace.get(`${VOTING}?per_page=2`)).body;
    expect(first.feedback.map(({ title }: { title: string }) => title)).toEqual(
      ['A', 'B'],
    );
    suite.clock.now += 1_000;
    await takeBack(grace, all[0]);
    await takeBack(ada, all[0]);
    await takeBack(grace, all[1]);
    await vote(ada, all[3]);
    await vote(ada, all[2]);
    await vote(grace, all[2]);
    const until = `votes_until=${first.votes_until}`;
    expect(await titles(grace, `?per_page=2&page=2&${until}`)).toEqual([
      'D',
      'C',
    ]);
    expect(await titles(grace, `?${until}`)).toEqual(['A', 'B', 'D', 'C']);
    expect(await titles(grace)).toEqual(['C', 'D', 'B', 'A']);
    expect(await titles(grace, '?sort=newest')).toEqual(['D', 'C', 'B', 'A']);
    const triage = async (query: string) => {
      const { body } = await ada.get(`/api/v1/feedback?${query}`);
      return body.feedback.map((one: { id: string }) => all.indexOf(one.id));
    };
    expect(await triage('sort=votes&open_for_voting=true')).toEqual([
      2, 3, 1, 0,
    ]);
    expect(await triage('sort=votes')).toEqual([2, 3, -1, 1, 0]);
    expect(await triage('open_for_voting=false')).toEqual([-1]);
    expect(await triage('')).toEqual([-1, 3, 2, 1, 0]);
    suite.clock.now += 3_600_000;
    expect(await titles(grace, `?${until}`)).toEqual(['C', 'D', 'B', 'A']);
    for (const [query, field] of [
      ['votes_until=soon', 'votes_until'],
      ['sort=rating', 'sort'],
      ['voted=maybe', 'voted'],
    ]) {
      expect(await grace.get(`${VOTING}?${query}`)).toMatchObject(
        errorAnswer(400, 'INVALID_REQUEST', { field }),
      );
    }
  });

  it('show who voted to those alone who triage', async () => {
    const { ada, grace, nobody } = suite.clients;
    const id = await opened('A faster search');
    await vote(grace, id);
    suite.clock.now += 1_000;
    await vote(ada, id);
    const { body } = await ada.get(`${pathOf(id)}/votes?per_page=1&page=2`);
    expect(body).toEqual({
      votes: [
        {
          user: 'user:default/grace',
          voted_at: '2026-11-20T12:00:00.000Z',
        },
      ],
      pagination: { page: 2, per_page: 1, total: 2, total_pages: 2 },
    });
    expect((await grace.get(`${pathOf(id)}/votes`)).status).toBe(403);
    expect((await nobody.get(`${pathOf(id)}/votes`)).status).toBe(401);
    expect((await ada.get(`${pathOf('fb_none')}/votes`)).status).toBe(404);
  });

  it('are exported and deleted for their person, by the person or an admin', async () => {
    const { ada, grace } = suite.clients;
    const path = (name: string) =>
      `/api/v1/people/${encodeURIComponent(`user:default/${name}`)}/votes`;
    const ids = [await opened('A'), await opened('B')];
    for (const id of ids) {
      await vote(grace, id);
      suite.clock.now += 1_000;
    }
    await vote(ada, ids[0]);
    // Left by a replica of the previous version, which deletes feedback without its votes.
    await suite.database.knex('feedback_votes').insert({
      id: 'vt_orphan',
      feedback_id: 'fb_gone',
      voter: 'user:default/grace',
      created_at: suite.clock.now,
    });
    expect(await grace.get(path('ada'))).toMatchObject({ status: 403 });
    expect((await grace.get(path('grace'))).body.votes).toEqual([
      {
        feedback_id: ids[1],
        title: 'B',
        voted_at: '2026-11-20T12:00:01.000Z',
      },
      {
        feedback_id: ids[0],
        title: 'A',
        voted_at: '2026-11-20T12:00:00.000Z',
      },
    ]);
    expect((await ada.get(path('grace'))).body.pagination.total).toBe(2);
    expect((await ada.get(`${path('grace')}?per_page=1`)).body.votes).toEqual([
      expect.objectContaining({ title: 'B' }),
    ]);
    expect((await grace.call('DELETE', path('ada'))).status).toBe(403);
    expect((await ada.call('DELETE', path('grace'))).body).toEqual({
      deleted: 3,
    });
    const kept = await suite.database.knex('feedback_votes');
    expect(JSON.stringify(kept)).not.toContain('grace');
    expect((await ada.get(pathOf(ids[0]))).body).toMatchObject({ votes: 1 });
  });

  it('are deleted with their feedback', async () => {
    const { ada, grace } = suite.clients;
    const id = await opened('A faster search');
    await vote(grace, id);
    await ada.call('DELETE', pathOf(id));
    expect(await suite.database.knex('feedback_votes')).toEqual([]);
    expect((await vote(grace, id)).status).toBe(404);
  });

  it('need a title, and are in the audit log once they are opened', async () => {
    const { ada, grace, nobody } = suite.clients;
    const { id } = (await nobody.submit()).body;
    for (const title of ['', ' ', 'x'.repeat(201), undefined]) {
      expect(await ada.put(`${pathOf(id)}/voting`, { title })).toMatchObject(
        errorAnswer(400, 'INVALID_REQUEST', { field: 'title' }),
      );
    }
    expect((await openVoting(ada, 'fb_none', 'A')).status).toBe(404);
    expect((await closeVoting(ada, 'fb_none')).status).toBe(404);
    expect((await closeVoting(grace, id)).status).toBe(403);
    await openVoting(ada, id, 'A');
    const audit = await ada.get('/api/v1/audit?q=voting');
    expect(audit.body.entries[0]).toMatchObject({
      by: 'user:default/ada',
      action: 'Open feedback for voting, or change its title or public note',
      target: `${id} / A`,
    });
  });
});

const portal = usePortal();

it('limits votes like other requests of a user', async () => {
  const service = await startFeedback(portal(), {
    config: { rateLimit: { enabled: true } },
  });
  const { ada, grace, nobody } = await clientsOf(service, portal());
  const { id } = (await nobody.submit()).body;
  await openVoting(ada, id, 'A faster search');
  for (let sent = 0; sent < 50; sent += 1) {
    expect((await vote(grace, id)).status).toBe(200);
  }
  expect(await vote(grace, id)).toMatchObject(errorAnswer(429, 'RATE_LIMITED'));
  await service.stop();
});
