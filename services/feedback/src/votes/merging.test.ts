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
    expect(merged).toMatchObject({ status: 'archived', merged_into: target });
    expect(merged).not.toHaveProperty('votes');
    expect((await ada.get(pathOf(own))).body.history).toMatchObject([
      { to: 'archived', notes: `Merged into ${target}` },
    ]);
    expect((await grace.get(`${pathOf(other)}/voting`)).body).toMatchObject({
      title: 'Search is slow',
      votes: 0,
      open: false,
      merged_into: target,
    });
    expect((await vote(grace, other)).status).toBe(409);
    const { body } = await grace.get('/api/v1/feedback/voting');
    expect(body.feedback).toMatchObject([{ id: target, voted: true }]);
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
    const seen = await mergeClosed(grace);
    expect((await grace.get(`${pathOf(seen)}/voting`)).body).toMatchObject({
      merged_into: target,
    });
    await ada.call('DELETE', pathOf(target));
    expect((await grace.get(`${pathOf(seen)}/voting`)).status).toBe(404);
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
});
