import { testDatabaseClients } from '@slipway/service-kit/testing';
import { automationSuite } from '../__testUtils__/automationSuite.ts';
import { WebhookReceiver } from '../__testUtils__/WebhookReceiver.ts';
import { FeedbackStore } from '../storage/FeedbackStore.ts';
import { ReplyStore } from '../storage/ReplyStore.ts';
import { type Notification, Notices } from './Notices.ts';
import { replyNotices } from './replyNotices.ts';

const TO_SENDER = {
  user: 'user:default/grace',
  title: 'Reply to your feedback',
};
const TO_TRIAGER = { user: 'user:default/ada', title: 'Answer to your reply' };

describe.each(testDatabaseClients())('reply notices on %s', databaseClient => {
  const suite = automationSuite(databaseClient);

  async function start() {
    const clients = await suite.start();
    const { database } = suite;
    const sent: Notification[] = [];
    const notices = new Notices({
      sources: [
        replyNotices(
          new ReplyStore({ database }),
          new FeedbackStore({ database }),
        ),
      ],
      notifier: { send: async notification => void sent.push(notification) },
      logger: { info: vi.fn(), warn: vi.fn() },
      now: Date.now,
    });
    const reply = async (
      client: (typeof clients)['ada'],
      id: string,
      message: string,
      internal = false,
    ): Promise<string> => {
      const path = `/api/v1/feedback/${id}/replies`;
      return (await client.post(path, { message, internal })).body.id;
    };
    /** Sends the due notices and returns them. */
    const due = async () => {
      sent.length = 0;
      await notices.send();
      return [...sent];
    };
    return { ...clients, reply, due };
  }

  it('go to the sender, and back to the person who replied', async () => {
    const { ada, grace, reply, due } = await start();
    const component = 'component:demo/cart';
    const { id } = (await grace.submit({ context: { component } })).body;
    await reply(ada, id, 'Which browser?');
    const scope = `component:demo/cart feedback:${id}:replies`;
    expect(await due()).toEqual([
      {
        ...TO_SENDER,
        description: 'Which browser?',
        link: `/feedback/mine/${id}`,
        scope,
      },
    ]);
    await reply(grace, id, 'Firefox');
    expect(await due()).toEqual([
      {
        ...TO_TRIAGER,
        description: 'The new navigation is great',
        link: `/feedback/triage/${id}`,
        scope,
      },
    ]);
    expect(await due()).toEqual([]);
  });

  it('are not sent of notes, of deleted replies and of those that nobody waits for', async () => {
    const { ada, grace, reply, due } = await start();
    const { id } = (await grace.submit()).body;
    await reply(ada, id, 'Looks like a duplicate', true);
    // Nobody has replied to the sender yet.
    await reply(grace, id, 'One more thing');
    const deleted = await reply(ada, id, 'Never mind');
    await ada.call('DELETE', `/api/v1/feedback/${id}/replies/${deleted}`);
    expect(await due()).toEqual([]);
    const anonymous = await grace.submit({ user: { anonymous: true } });
    await reply(ada, anonymous.body.id, 'Cannot ask', true);
    expect(await due()).toEqual([]);
  });

  it('are sent of the last of several replies', async () => {
    const { ada, grace, reply, due } = await start();
    const { id } = (await grace.submit()).body;
    await reply(ada, id, 'Which browser?');
    await reply(ada, id, 'And which version?');
    await reply(ada, id, 'Seen it too', true);
    expect(await due()).toMatchObject([
      { ...TO_SENDER, description: 'And which version?' },
    ]);
  });

  it('are accompanied by webhooks, which contain no notes and no names', async () => {
    const receiver = new WebhookReceiver();
    const url = await receiver.start();
    const { ada, grace, service } = await suite.start({
      config: { egress: { allowedHosts: ['127.0.0.1'] } },
    });
    await service.start();
    const event = 'feedback.reply_added';
    await ada.post('/api/v1/webhooks', {
      url,
      events: [event],
      secret: receiver.secret,
    });
    const { id } = (await grace.submit()).body;
    const path = `/api/v1/feedback/${id}/replies`;
    await ada.post(path, { message: 'Internal', internal: true });
    const { body } = await ada.post(path, { message: 'Which browser?' });
    await vi.waitFor(() => expect(receiver.received).toHaveLength(1));
    expect(receiver.received[0]).toEqual({
      id: expect.any(String),
      event,
      body: {
        event,
        timestamp: body.created_at,
        feedback: {
          id,
          rating: 4,
          category: 'UI/UX',
          message: 'The new navigation is great',
        },
        reply: { id: body.id, message: 'Which browser?', from_sender: false },
      },
    });
    await receiver.stop();
  });
});
