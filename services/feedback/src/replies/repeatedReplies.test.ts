import { testDatabaseClients } from '@slipway/service-kit/testing';
import { errorAnswer, feedbackSuite } from '../__testUtils__/feedbackSuite.ts';
import type { Client } from '../__testUtils__/startFeedback.ts';
import { pathOf, reply } from '../__testUtils__/thread.ts';

/** Reads the texts of a thread. */
async function thread(client: Client, id: string): Promise<string[]> {
  const { body } = await client.get(pathOf(id));
  return body.replies.map((one: { message: string }) => one.message);
}

describe.each(testDatabaseClients())('replies on %s', databaseClient => {
  const suite = feedbackSuite(databaseClient);

  it('are added once by a request that is repeated', async () => {
    const { ada, grace } = suite.clients;
    const { id } = (await grace.submit()).body;
    const other = (await grace.submit()).body.id;
    const once = { idempotency_key: 'once' };
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => reply(ada, id, 'Where?', once)),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(4).fill(201));
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    expect(await thread(ada, id)).toEqual(['Where?']);
    expect((await ada.get(pathOf(id))).body.reply_count).toBe(1);
    // The key is scoped to one person and one thread.
    expect((await reply(grace, id, 'Here', once)).status).toBe(201);
    expect((await reply(ada, other, 'Where?', once)).status).toBe(201);
    expect(await reply(ada, id, 'When?', once)).toMatchObject(
      errorAnswer(409, 'CONFLICT'),
    );
    expect(
      await reply(ada, id, 'Where?', { ...once, internal: true }),
    ).toMatchObject(errorAnswer(409, 'CONFLICT'));
    expect(await thread(ada, id)).toEqual(['Where?', 'Here']);
    expect(
      await reply(ada, id, 'Where?', { idempotency_key: '' }),
    ).toMatchObject(
      errorAnswer(400, 'INVALID_REQUEST', { field: 'idempotency_key' }),
    );
  });
});
