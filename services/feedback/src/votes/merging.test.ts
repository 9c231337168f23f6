import { testDatabaseClients } from '@slipway/service-kit/testing';
import { errorAnswer, feedbackSuite } from '../__testUtils__/feedbackSuite.ts';
import type { Client } from '../__testUtils__/startFeedback.ts';
import { VoteStore } from '../storage/VoteStore.ts';
import {
  closeVoting,
  openVoting,
  pathOf,
  reply,
  takeBack,
  vote,
} from '../__testUtils__/thread.ts';

const merge = (client: Client, id: string, into: string) =>
  client.post(`${pathOf(id)}/merge`, { into });
const undo = (client: Client, id: string) =>
  client.call('DELETE', `${pathOf(id)}/merge`);

describe.each(testDatabaseClients())('merging on %s', databaseClient => {
  const suite = feedbackSuite(databaseClient);

  const sent = async (client: Client, title?: string) => {
    const { id } = (await client.submit()).body;
    if (title !== undefined) {
      await openVoting(suite.clients.ada, id, title);
    }
    return id as string;
  };
  const votersOf = async (id: string) => {
    const { body } = await suite.clients.ada.get(`${pathOf(id)}/votes`);
    return body.votes.map((one: { user: string }) => one.user).sort();
  };

  it('moves the votes and that of the sender, each once, and links to the other entry', async () => {
    const { ada, grace, nobody } = suite.clients;
    const target = await sent(nobody, 'A faster search');
    const own = await sent(grace);
    expect(await merge(ada, own, target)).toMatchObject({
      status: 200,
      body: { id: own, merged_into: target, votes: 1 },
    });
    const other = await sent(nobody, 'Search is slow');
    await vote(grace, other);
    await vote(ada, other);
    expect((await merge(ada, other, target)).body).toMatchObject({ votes: 2 });
    expect(await votersOf(target)).toEqual([
      'user:default/ada',
      'user:default/grace',
    ]);
    expect((await ada.get(pathOf(target))).body).toMatchObject({ votes: 2 });
    const merged = (await grace.get(pathOf(own))).body;
    expect(merged).toMatchObject({
      status: 'archived',
      merged_into: target,
      merged_title: 'A faster search',
    });
    expect(merged).not.toHaveProperty('votes');
    expect((await ada.get(pathOf(own))).body.history).toMatchObject([
      { to: 'archived', notes: `Merged into ${target}` },
    ]);
    expect((await grace.get(`${pathOf(other)}/voting`)).body).toMatchObject({
      title: 'Search is slow',
      votes: 0,
      open: false,
      merged_into: target,
      merged_title: 'A faster search',
    });
    expect((await vote(grace, other)).status).toBe(409);
    const { body } = await grace.get('/api/v1/feedback/voting');
    expect(body.feedback).toMatchObject([{ id: target, voted: true }]);

    // Once voting is closed, the title is private again.
    await closeVoting(ada, target);
    expect((await grace.get(pathOf(own))).body).not.toHaveProperty(
      'merged_title',
    );
    expect((await ada.get(pathOf(own))).body.merged_title).toBe(
      'A faster search',
    );
  });

  it('takes the duplicates of a duplicate along', async () => {
    const { ada, nobody } = suite.clients;
    const [first, second, third] = [
      await sent(nobody, 'A'),
      await sent(nobody, 'B'),
      await sent(nobody, 'C'),
    ];
    await merge(ada, first, second);
    await merge(ada, second, third);
    expect((await ada.get(pathOf(first))).body.merged_into).toBe(third);
    await ada.call('DELETE', pathOf(third));
    expect((await ada.get(pathOf(first))).body).not.toHaveProperty(
      'merged_into',
    );
  });

  it('keeps a title private that was closed, except from its voters', async () => {
    const { ada, grace, nobody } = suite.clients;
    const target = await sent(nobody, 'A');
    const mergeClosed = async (voter: Client) => {
      const id = await sent(nobody, 'The salary of Zanzibar');
      await vote(voter, id);
      await closeVoting(ada, id);
      await merge(ada, id, target);
      return id;
    };
    const unseen = await mergeClosed(ada);
    expect((await grace.get(`${pathOf(unseen)}/voting`)).status).toBe(404);
    await vote(grace, target);
    expect((await grace.get(`${pathOf(unseen)}/voting`)).status).toBe(404);
    const seen = await mergeClosed(grace);
    expect((await grace.get(`${pathOf(seen)}/voting`)).body).toMatchObject({
      merged_into: target,
    });
    await ada.call('DELETE', pathOf(target));
    expect((await grace.get(`${pathOf(seen)}/voting`)).status).toBe(404);
  });

  it('exports the duplicates that a person had voted for, or had sent', async () => {
    const { ada, grace, nobody } = suite.clients;
    const target = await sent(nobody, 'A');
    const votedFor = await sent(nobody, 'B');
    const own = await sent(grace);
    const unrelated = await sent(nobody, 'C');
    await vote(grace, votedFor);
    await vote(ada, unrelated);
    for (const id of [votedFor, own, unrelated]) {
      await merge(ada, id, target);
    }
    const exported = async () =>
      (
        await grace.get(
          `/api/v1/people/${encodeURIComponent('user:default/grace')}/votes`,
        )
      ).body.votes;
    expect(await exported()).toEqual([
      {
        feedback_id: target,
        title: 'A',
        voted_at: expect.any(String),
        duplicates: [
          { feedback_id: votedFor, title: 'B' },
          { feedback_id: own },
        ],
      },
    ]);
    suite.clock.now += 1_000;
    await undo(ada, votedFor);
    expect(await exported()).toEqual([
      { feedback_id: votedFor, title: 'B', voted_at: expect.any(String) },
      expect.objectContaining({
        feedback_id: target,
        duplicates: [{ feedback_id: own }],
      }),
    ]);
  });

  it('does not open what was open again, whatever its status becomes', async () => {
    const { ada, nobody } = suite.clients;
    const target = await sent(nobody, 'A');
    const other = await sent(nobody, 'B');
    await merge(ada, other, target);
    await ada.move(other, 'validated');
    const open = async () => {
      const { body } = await ada.get('/api/v1/feedback/voting');
      return body.feedback.map(({ id }: { id: string }) => id);
    };
    expect((await vote(ada, other)).status).toBe(409);
    expect(await open()).toEqual([target]);
    await ada.call('DELETE', pathOf(target));
    expect((await vote(ada, other)).status).toBe(409);
    expect(await open()).toEqual([]);
  });

  it('adds no vote of a sender who took it back', async () => {
    const { ada, grace, nobody } = suite.clients;
    const target = await sent(nobody, 'A');
    const other = await sent(grace, 'B');
    await takeBack(grace, other);
    expect((await merge(ada, other, target)).body.votes).toBe(0);
    expect(await votersOf(target)).toEqual([]);
  });

  it('answers the sender, except what came after the replies that were seen', async () => {
    const { ada, grace, nobody } = suite.clients;
    const target = await sent(nobody, 'A');
    const awaits = async (seen?: number) => {
      const id = await sent(grace);
      await reply(grace, id, 'Any news?');
      await ada.post(`${pathOf(id)}/merge`, {
        into: target,
        reply_count: seen,
      });
      return (await ada.get(pathOf(id))).body.awaits_reply;
    };
    expect(await awaits()).toBeUndefined();
    expect(await awaits(1)).toBeUndefined();
    expect(await awaits(0)).toBe(true);
  });

  it('counts each vote once that is given or taken back meanwhile', async () => {
    const { ada, nobody } = suite.clients;
    const [first, second, third] = [
      await sent(nobody, 'A'),
      await sent(nobody, 'B'),
      await sent(nobody, 'C'),
    ];
    const votes = new VoteStore({ database: suite.database });
    const at = suite.clock.now;
    const people = Array.from({ length: 12 }, (_, i) => `user:default/u${i}`);
    await Promise.all([
      ...people.map(voter => votes.cast(first, { voter, at })),
      ...people.map(voter => votes.cast(second, { voter, at })),
      merge(ada, first, second),
      ...people.slice(6).map(voter => votes.withdraw(second, { voter, at })),
      merge(ada, second, third),
      votes.erase(people[0], { at }),
      ...people.map(voter => votes.cast(third, { voter, at })),
      merge(ada, third, first),
    ]);
    const { knex } = suite.database;
    const records = await knex('feedback').select('id', 'votes');
    for (const { id, votes: counted } of records) {
      const voters: string[] = await knex('feedback_votes')
        .where({ feedback_id: id })
        .whereNotNull('voter')
        .pluck('voter');
      expect(voters).toHaveLength(counted);
      expect(new Set(voters).size).toBe(counted);
    }
  });

  it('leaves no vote behind that is being deleted', async () => {
    const { ada, grace, nobody } = suite.clients;
    const target = await sent(nobody, 'A');
    const other = await sent(nobody, 'B');
    await vote(grace, other);
    const votes = new VoteStore({ database: suite.database });
    const withdraw = votes.withdraw.bind(votes);
    vi.spyOn(votes, 'withdraw').mockImplementationOnce(async (id, taken) => {
      await merge(ada, other, target);
      return withdraw(id, taken);
    });
    const erased = votes.erase('user:default/grace', { at: suite.clock.now });
    expect(await erased).toBe(1);
    expect(await votersOf(target)).toEqual([]);
  });

  it('of anonymous feedback adds no vote', async () => {
    const { ada, grace, nobody } = suite.clients;
    const target = await sent(nobody, 'A faster search');
    const hidden = await grace.submit({ user: { anonymous: true } });
    expect((await merge(ada, hidden.body.id, target)).body.votes).toBe(0);
    expect(await votersOf(target)).toEqual([]);
  });

  it('counts once when it is sent twice at the same time, or both ways', async () => {
    const { ada, grace } = suite.clients;
    const target = await sent(ada, 'A');
    const other = await sent(grace, 'B');
    const answers = await Promise.all([
      merge(ada, other, target),
      merge(ada, other, target),
      merge(ada, target, other),
    ]);
    const statuses = answers.map(({ status }) => status);
    expect(statuses.sort()).toEqual([200, 409, 409]);
    const { body } = await ada.get('/api/v1/feedback/voting');
    expect(body.feedback).toMatchObject([{ votes: 2, voted: true }]);
  });

  it('is refused into itself, into what is closed, of a duplicate, and for others', async () => {
    const { ada, grace, nobody } = suite.clients;
    const target = await sent(nobody, 'A');
    const plain = await sent(nobody);
    const closed = await sent(nobody, 'B');
    await closeVoting(ada, closed);
    const conflict = errorAnswer(409, 'CONFLICT');
    const message = 'The feedback of into is not open for voting';
    const wrongTarget = { status: 409, body: { error: { message } } };
    expect(await merge(ada, target, target)).toMatchObject(conflict);
    expect(await merge(ada, plain, closed)).toMatchObject(wrongTarget);
    expect(await merge(ada, target, plain)).toMatchObject(wrongTarget);
    expect((await merge(ada, plain, 'fb_none')).status).toBe(404);
    expect((await merge(ada, 'fb_none', target)).status).toBe(404);
    expect((await merge(grace, plain, target)).status).toBe(403);
    expect((await merge(nobody, plain, target)).status).toBe(401);
    expect(await ada.post(`${pathOf(plain)}/merge`)).toMatchObject(
      errorAnswer(400, 'INVALID_REQUEST', { field: 'into' }),
    );
    await merge(ada, plain, target);
    expect(await merge(ada, plain, target)).toMatchObject(conflict);
    expect(await openVoting(ada, plain, 'C')).toMatchObject(conflict);
  });

  describe('undone', () => {
    const ballotOf = async (id: string) =>
      (await suite.clients.ada.get(`${pathOf(id)}/voting`)).body;
    const noted = () => suite.database.knex('feedback_duplicate_votes');

    it('gives back the votes and the status, and keeps the votes for the other entry', async () => {
      const { ada, grace, nobody } = suite.clients;
      const target = await sent(nobody, 'A faster search');
      const other = await sent(nobody, 'Search is slow');
      await ada.move(other, 'in_progress');
      await vote(ada, target);
      await vote(ada, other);
      await vote(grace, other);
      await merge(ada, other, target);
      expect(await votersOf(target)).toHaveLength(2);
      expect((await undo(ada, other)).status).toBe(204);
      expect(await votersOf(target)).toEqual(['user:default/ada']);
      expect(await ballotOf(target)).toMatchObject({ votes: 1 });
      expect(await votersOf(other)).toHaveLength(2);
      expect(await ballotOf(other)).toMatchObject({
        votes: 2,
        open: true,
        status: 'in_progress',
      });
      const { body } = await ada.get(pathOf(other));
      expect(body).not.toHaveProperty('merged_into');
      expect(body.history.at(-1)).toMatchObject({
        actor: 'user:default/ada',
        from: 'archived',
        to: 'in_progress',
        notes: `No longer merged into ${target}`,
      });
      const audit = await ada.get('/api/v1/audit?q=merging');
      expect(audit.body.entries[0]).toMatchObject({
        by: 'user:default/ada',
        action: 'Undo the merging of a duplicate',
        target: expect.stringContaining(other),
      });
      expect((await undo(ada, other)).status).toBe(204);
      expect(await noted()).toEqual([]);
      // The duplicate can be merged again, with its votes.
      expect((await merge(ada, other, target)).body.votes).toBe(2);
      expect((await takeBack(grace, target)).status).toBe(204);
      await undo(ada, other);
      expect(await votersOf(other)).toEqual(['user:default/ada']);
    });

    it('gives back the duplicates of a duplicate with their votes', async () => {
      const { ada, grace, nobody } = suite.clients;
      const [first, second, third, fourth] = [
        await sent(nobody, 'A'),
        await sent(nobody, 'B'),
        await sent(nobody, 'C'),
        await sent(nobody, 'D'),
      ];
      await vote(grace, first);
      await vote(ada, second);
      await vote(ada, fourth);
      await merge(ada, first, second);
      await merge(ada, second, third);
      await merge(ada, fourth, third);
      expect(await votersOf(third)).toHaveLength(2);
      await undo(ada, second);
      // This vote is for the fourth entry, which is still a duplicate of the third.
      expect(await votersOf(third)).toEqual(['user:default/ada']);
      expect(await votersOf(second)).toHaveLength(2);
      expect((await ada.get(pathOf(first))).body.merged_into).toBe(second);
      await undo(ada, first);
      expect(await votersOf(first)).toEqual(['user:default/grace']);
      expect(await votersOf(second)).toEqual(['user:default/ada']);
    });

    it('removes the vote that the sender got, and adds none to an entry that was never open', async () => {
      const { ada, grace, nobody } = suite.clients;
      const target = await sent(nobody, 'A');
      const own = await sent(grace);
      await merge(ada, own, target);
      await ada.move(own, 'validated');
      await undo(ada, own);
      expect(await votersOf(target)).toEqual([]);
      const { body } = await ada.get(pathOf(own));
      expect(body).not.toHaveProperty('votes');
      // The status was changed after the merge, so it is kept.
      expect(body.status).toBe('validated');
    });

    it('notifies nobody, and restores no vote of a user whose votes were deleted', async () => {
      const { ada, grace, nobody } = suite.clients;
      const target = await sent(nobody, 'A');
      const other = await sent(grace, 'B');
      await vote(ada, other);
      await ada.move(other, 'resolved');
      const queued = () => suite.database.knex('kit_queue');
      await queued().delete();
      await merge(ada, other, target);
      await ada.call(
        'DELETE',
        `/api/v1/people/${encodeURIComponent('user:default/grace')}/votes`,
      );
      expect(await noted()).toMatchObject([{ voter: 'user:default/ada' }]);
      await undo(ada, other);
      expect(await votersOf(other)).toEqual(['user:default/ada']);
      expect(await queued().where({ state: 'waiting' })).toEqual([]);
    });

    it('forgets the votes of deleted entries', async () => {
      const { ada, grace, nobody } = suite.clients;
      const [target, other] = [
        await sent(nobody, 'A'),
        await sent(nobody, 'B'),
      ];
      await vote(grace, other);
      await merge(ada, other, target);
      await ada.call('DELETE', pathOf(target));
      expect(await noted()).toEqual([]);
      expect((await undo(ada, other)).status).toBe(204);
      expect((await ada.get(pathOf(other))).body.status).toBe('archived');
    });

    it('gives back votes from a duplicate that was deleted', async () => {
      const { ada, grace, nobody } = suite.clients;
      const [first, second, third] = [
        await sent(nobody, 'A'),
        await sent(nobody, 'B'),
        await sent(nobody, 'C'),
      ];
      await vote(grace, first);
      await merge(ada, first, second);
      await ada.call('DELETE', pathOf(first));
      await merge(ada, second, third);
      await undo(ada, second);
      expect(await votersOf(second)).toEqual(['user:default/grace']);
      expect(await votersOf(third)).toEqual([]);
    });

    it('keeps the vote of a user who voted for both, even if after merging', async () => {
      const { ada, grace, nobody } = suite.clients;
      const target = await sent(nobody, 'A');
      const other = await sent(nobody, 'B');
      await vote(grace, other);
      await merge(ada, other, target);
      expect((await vote(grace, target)).body.votes).toBe(1);
      await undo(ada, other);
      expect(await votersOf(target)).toEqual(['user:default/grace']);
      expect(await votersOf(other)).toEqual(['user:default/grace']);
    });

    it('leaves votes that the previous version moved where they are', async () => {
      const { ada, grace, nobody } = suite.clients;
      const [target, other] = [
        await sent(nobody, 'A'),
        await sent(nobody, 'B'),
      ];
      await vote(grace, target);
      await suite.database.knex('feedback').where({ id: other }).update({
        merged_into: target,
        status: 'archived',
      });
      await undo(ada, other);
      expect(await votersOf(target)).toEqual(['user:default/grace']);
      expect((await ada.get(pathOf(other))).body.status).toBe('new');
    });

    it('restores the status that the previous version recorded in the history', async () => {
      const { ada, nobody } = suite.clients;
      const target = await sent(nobody, 'A');
      const other = await sent(nobody, 'B');
      await ada.move(other, 'resolved');
      await merge(ada, other, target);
      await suite.database
        .knex('feedback')
        .where({ id: other })
        .update({ duplicate_of: null, status_before_merge: null });
      await undo(ada, other);
      expect((await ada.get(pathOf(other))).body.status).toBe('resolved');
    });

    it('counts each vote once if votes are added or withdrawn at the same time', async () => {
      const { ada, nobody } = suite.clients;
      const [first, second] = [
        await sent(nobody, 'A'),
        await sent(nobody, 'B'),
      ];
      const votes = new VoteStore({ database: suite.database });
      const at = suite.clock.now;
      const people = Array.from({ length: 8 }, (_, i) => `user:default/u${i}`);
      const erased = 'user:default/erased';
      await votes.cast(first, { voter: erased, at });
      await Promise.all([
        ...people.map(voter => votes.cast(first, { voter, at })),
        merge(ada, first, second),
        ...people.map(voter => votes.cast(second, { voter, at })),
        undo(ada, first),
        ...people.slice(4).map(voter => votes.withdraw(second, { voter, at })),
        merge(ada, first, second),
        votes.erase(erased, { at }),
        undo(ada, first),
      ]);
      await undo(ada, first);
      for (const id of [first, second]) {
        const voters = await votersOf(id);
        expect((await ballotOf(id)).votes).toBe(voters.length);
        expect(new Set(voters).size).toBe(voters.length);
        expect(voters).not.toContain(erased);
      }
    });

    if (databaseClient === 'postgres') {
      it('waits for a change of the other entry without locking the duplicate', async () => {
        const { ada, nobody } = suite.clients;
        const target = await sent(nobody, 'A');
        const other = await sent(nobody, 'B');
        await merge(ada, other, target);
        const { knex } = suite.database;
        const waiting = () =>
          knex('pg_stat_activity')
            .where({ wait_event_type: 'Lock' })
            .whereRaw('datname = current_database()');
        const undone = await knex.transaction(async trx => {
          await trx('feedback').where({ id: target }).forUpdate().first();
          const answer = undo(ada, other);
          await vi.waitUntil(async () => (await waiting()).length > 0);
          // Merging and deleting the other entry also lock its duplicates while they hold its lock.
          await trx.raw("SET LOCAL lock_timeout = '500ms'");
          await trx('feedback')
            .where({ id: other })
            .update({ merged_into: target });
          return { answer };
        });
        expect((await undone.answer).status).toBe(204);
        expect((await ada.get(pathOf(other))).body.status).toBe('new');
      });
    }

    it('is only for admins, and only for entries that exist', async () => {
      const { ada, grace, nobody } = suite.clients;
      expect((await undo(nobody, 'fb_none')).status).toBe(401);
      expect((await undo(grace, 'fb_none')).status).toBe(403);
      expect((await undo(ada, 'fb_none')).status).toBe(404);
    });
  });
});
