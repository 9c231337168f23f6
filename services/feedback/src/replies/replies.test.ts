import { testDatabaseClients } from '@slipway/service-kit/testing';
import {
  errorAnswer,
  feedbackSuite,
  NOW,
  usePortal,
} from '../__testUtils__/feedbackSuite.ts';
import {
  type Client,
  clientsOf,
  startFeedback,
} from '../__testUtils__/startFeedback.ts';
import { note, pathOf, reply } from '../__testUtils__/thread.ts';

/** Reads the texts of a thread. */
async function thread(client: Client, id: string): Promise<string[]> {
  const { body } = await client.get(pathOf(id));
  return (body.replies ?? []).map((one: { message: string }) => one.message);
}

describe.each(testDatabaseClients())('replies on %s', databaseClient => {
  const suite = feedbackSuite(databaseClient);

  /** Finds an entry in a list. */
  const listed = async (client: Client, id: string, list = '') => {
    const { body } = await client.get(`/api/v1/feedback${list}`);
    return body.feedback.find((one: { id: string }) => one.id === id);
  };

  it('go back and forth between those who triage and the sender', async () => {
    const { ada, grace } = suite.clients;
    const { id } = (await grace.submit()).body;
    suite.clock.now += 1_000;
    expect(await reply(ada, id, ' Which <b>browser</b>? ')).toMatchObject({
      status: 201,
      body: {
        id: expect.stringMatching(/^rp_[0-9a-f-]{36}$/),
        message: ' Which <b>browser</b>? ',
        internal: false,
        author: { name: 'ada', is_sender: false },
        created_at: '2026-11-20T12:00:01.000Z',
        may_delete: true,
      },
    });
    suite.clock.now += 1_000;
    expect((await reply(grace, id, 'Firefox')).status).toBe(201);
    const seen = await grace.get(pathOf(id));
    expect(seen.body).toMatchObject({
      reply_count: 2,
      awaits_reply: true,
      may_reply: true,
      updated_at: '2026-11-20T12:00:00.000Z',
      replies: [
        { author: { name: 'ada', is_sender: false }, may_delete: false },
        {
          message: 'Firefox',
          author: { name: 'grace', is_sender: true },
          may_delete: true,
        },
      ],
    });
    expect(await listed(grace, id, '/mine')).toMatchObject({ reply_count: 2 });
    expect(await listed(grace, id, '/mine')).not.toHaveProperty('replies');
    expect(seen.body).toHaveProperty('is_own', true);
    expect((await ada.get(pathOf(id))).body).not.toHaveProperty('is_own');
  });

  it('are in the order in which they were added, whatever the clock of a replica says', async () => {
    const { ada, grace } = suite.clients;
    const { id } = (await grace.submit()).body;
    suite.clock.now += 5_000;
    await reply(ada, id, 'Which browser?');
    suite.clock.now -= 1_000;
    const answer = await reply(grace, id, 'Firefox');
    const { body } = await ada.get(pathOf(id));
    expect(body.awaits_reply).toBe(true);
    expect(body.replies.at(-1)).toMatchObject({
      id: answer.body.id,
      created_at: answer.body.created_at,
    });
    expect(answer.body.created_at > body.replies[0].created_at).toBe(true);
  });

  it('shows internal notes to those alone who triage', async () => {
    const { ada, grace } = suite.clients;
    const { id } = (await grace.submit()).body;
    await note(ada, id, 'Looks like a duplicate');
    await reply(ada, id, 'Thank you');
    expect(await thread(ada, id)).toEqual([
      'Looks like a duplicate',
      'Thank you',
    ]);
    expect(await thread(grace, id)).toEqual(['Thank you']);
    expect(await listed(grace, id, '/mine')).toMatchObject({ reply_count: 1 });
    expect(await note(grace, id, 'Mine')).toMatchObject(
      errorAnswer(403, 'FORBIDDEN'),
    );
  });

  it('are not for feedback whose sender cannot be notified, only notes are', async () => {
    const { ada, automation, grace, nobody } = suite.clients;
    const anonymous = await grace.submit({ user: { anonymous: true } });
    const claimed = await nobody.submit({ user: { name: 'Lin' } });
    await automation.post('/api/v1/bot/messages', {
      text: 'The build hangs',
      user: { id: 'lin' },
    });
    const { body } = await ada.get('/api/v1/feedback?q=hangs');
    for (const id of [
      anonymous.body.id,
      claimed.body.id,
      body.feedback[0].id,
    ]) {
      expect((await ada.get(pathOf(id))).body).not.toHaveProperty('may_reply');
      expect(await reply(ada, id, 'Where?')).toMatchObject(
        errorAnswer(409, 'CONFLICT'),
      );
      expect((await note(ada, id, 'Cannot ask')).status).toBe(201);
      expect((await reply(grace, id, 'It is mine')).status).toBe(403);
    }
  });

  it('are refused for others, without a session and with invalid texts', async () => {
    const { ada, automation, grace, nobody } = suite.clients;
    const { id } = (await ada.submit()).body;
    expect((await reply(nobody, id, 'Me too')).status).toBe(401);
    expect((await reply(automation, id, 'Me too')).status).toBe(401);
    expect((await reply(grace, id, 'Me too')).status).toBe(403);
    expect((await reply(ada, 'fb_none', 'Me too')).status).toBe(404);
    for (const [message, constraint] of [
      ['', 'minLength'],
      [' \n', 'pattern'],
      ['x'.repeat(10_001), 'maxLength'],
      ['a\u0000b', 'format'],
    ]) {
      expect(await reply(ada, id, message)).toMatchObject(
        errorAnswer(400, 'INVALID_REQUEST', { field: 'message', constraint }),
      );
    }
    expect(await thread(ada, id)).toEqual([]);
  });

  it('from an admin to their own feedback are those of its sender', async () => {
    const { ada } = suite.clients;
    const { id } = (await ada.submit()).body;
    await reply(ada, id, 'One more thing');
    await note(ada, id, 'As a triager');
    expect((await ada.get(pathOf(id))).body).toMatchObject({
      is_own: true,
      awaits_reply: true,
      replies: [
        { author: { is_sender: true } },
        { author: { is_sender: false } },
      ],
    });
  });

  it('are deleted by their authors, and by admins', async () => {
    const { ada, grace, nobody } = suite.clients;
    const { id } = (await grace.submit()).body;
    const other = (await grace.submit()).body.id;
    const ids: string[] = [];
    for (const [client, text] of [
      [grace, 'First'],
      [ada, 'Second'],
      [grace, 'Third'],
    ] as const) {
      suite.clock.now += 1_000;
      ids.push((await reply(client, id, text)).body.id);
    }
    const hidden = (await note(ada, id, 'Hidden')).body.id;
    const remove = async (client: Client, replyId: string, of = id) =>
      (await client.call('DELETE', `${pathOf(of)}/replies/${replyId}`)).status;
    expect(await remove(nobody, ids[0])).toBe(401);
    expect(await remove(grace, ids[1])).toBe(403);
    expect(await remove(grace, hidden)).toBe(404);
    expect(await remove(grace, ids[0], other)).toBe(404);
    expect(await remove(grace, 'rp_none')).toBe(404);
    // The last reply is then an admin's.
    expect(await remove(grace, ids[2])).toBe(204);
    expect((await ada.get(pathOf(id))).body).toMatchObject({ reply_count: 2 });
    expect((await ada.get(pathOf(id))).body).not.toHaveProperty('awaits_reply');
    expect(await remove(ada, ids[0])).toBe(204);
    expect(await remove(ada, hidden)).toBe(204);
    expect(await thread(ada, id)).toEqual(['Second']);
    const audit = await ada.get(`/api/v1/audit?q=${id}`);
    expect(JSON.stringify(audit.body)).not.toMatch(/First|Second|Third|Hidden/);
    expect(audit.body.entries[0]).toMatchObject({
      by: 'user:default/ada',
      action: 'Delete a reply to feedback',
      target: `${id} / ${hidden}`,
    });
    expect(audit.body.entries.at(-1)).toMatchObject({
      by: 'user:default/grace',
      action: 'Reply to feedback',
      target: id,
    });
  });

  it('keep feedback from being deleted by its sender, notes do not', async () => {
    const { ada, grace } = suite.clients;
    const { knex } = suite.database;
    const remove = async (id: string) =>
      (await grace.call('DELETE', pathOf(id))).status;
    const noted = (await grace.submit()).body.id;
    await reply(grace, noted, 'One more thing');
    await note(ada, noted, 'Hidden');
    expect(await remove(noted)).toBe(204);
    expect(await knex('feedback_replies')).toEqual([]);
    expect(await knex('kit_queue').where('lane', noted)).toEqual([]);
    const answered = (await grace.submit()).body.id;
    await reply(ada, answered, 'Why?');
    expect(await remove(answered)).toBe(409);
  });

  it('have a limit for each side of an entry, which notes do not use up for the sender', async () => {
    const { ada, grace } = suite.clients;
    const { id } = (await grace.submit()).body;
    await suite.database.knex.batchInsert(
      'feedback_replies',
      Array.from({ length: 198 }, (_, index) => ({
        id: `rp_${index}`,
        feedback_id: id,
        author: 'user:default/ada',
        author_name: 'ada',
        from_sender: index % 2 === 0,
        internal: index % 2 === 1,
        message: 'Text',
        created_at: NOW,
      })),
      50,
    );
    for (const answers of [
      await Promise.all([note(ada, id, 'Last'), reply(ada, id, 'Last')]),
      await Promise.all([reply(grace, id, 'Last'), reply(grace, id, 'Last')]),
    ]) {
      expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
    }
    expect((await reply(grace, id, 'More')).body.error.message).toBe(
      'Feedback can have at most 100 replies of its sender',
    );
    expect(await thread(ada, id)).toHaveLength(200);
  });
});

const portal = usePortal();

it.each([
  ['required', { grace: 403, nobody: 401 }],
  ['open', { grace: 200, nobody: 200 }],
])(
  'are visible to the sender and admins alone if reads are %s',
  async (reads, statuses) => {
    const service = await startFeedback(portal(), {
      config: { auth: { reads } },
    });
    const { ada, grace, nobody } = await clientsOf(service, portal());
    const { id } = (await ada.submit()).body;
    await reply(ada, id, 'Only between us');
    for (const [client, status] of [
      [grace, statuses.grace],
      [nobody, statuses.nobody],
    ] as const) {
      const answer = await client.get(pathOf(id));
      expect(answer.status).toBe(status);
      expect(JSON.stringify(answer.body)).not.toContain('between');
    }
    expect(await thread(ada, id)).toEqual(['Only between us']);
    await service.stop();
  },
);
