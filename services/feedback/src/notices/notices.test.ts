import type { Database, Service } from '@slipway/service-kit';
import {
  type FakePortal,
  openTestDatabase,
  testDatabaseClients,
} from '@slipway/service-kit/testing';
import {
  clientsOf,
  startFeedback,
  startPortal,
} from '../__testUtils__/startFeedback.ts';
import { reply } from '../__testUtils__/thread.ts';
import { FeedbackStore } from '../storage/FeedbackStore.ts';
import { ReplyStore } from '../storage/ReplyStore.ts';
import { ARCHIVED_PAUSE_MS } from '../storage/tellSender.ts';
import { Notices, type Notifier } from './Notices.ts';
import { replyNotices } from './replyNotices.ts';
import { senderNotices } from './senderNotices.ts';
import { feedbackService } from '../service.ts';

let portal: FakePortal;

beforeAll(async () => {
  portal = await startPortal();
});

afterAll(() => portal.stop());

/** Records notifications; fails when configured to. */
class FakeNotifier implements Notifier {
  readonly sent: Parameters<Notifier['send']>[0][] = [];
  isDown = false;
  onSend: () => Promise<unknown> = async () => undefined;

  async send(notification: Parameters<Notifier['send']>[0]): Promise<void> {
    if (this.isDown) {
      throw new Error('down');
    }
    this.sent.push(notification);
    await this.onSend();
  }
}

describe.each(testDatabaseClients())('notices on %s', databaseClient => {
  let service: Service;
  let database: Database;
  let dispose: () => Promise<void>;
  let clients: Awaited<ReturnType<typeof clientsOf>>;
  let notices: Notices;
  const notifier = new FakeNotifier();
  const clock = { now: Date.now() };
  const logger = { info: vi.fn(), warn: vi.fn() };

  beforeAll(async () => {
    const opened = await openTestDatabase(databaseClient, feedbackService);
    ({ database, dispose } = opened);
    const now = () => clock.now;
    service = await startFeedback(portal, { database, now });
    clients = await clientsOf(service, portal);
    notices = new Notices({
      sources: [senderNotices(new FeedbackStore({ database }))],
      notifier,
      logger,
      now,
    });
  });

  beforeEach(() => {
    notifier.sent.length = 0;
    notifier.isDown = false;
    notifier.onSend = async () => undefined;
    logger.info.mockClear();
    logger.warn.mockClear();
  });

  afterAll(async () => {
    await service.stop();
    await dispose();
  });

  it('notify a sender once of resolved feedback', async () => {
    const { id } = (await clients.grace.submit()).body;
    await clients.ada.move(id, 'validated');
    expect(await notices.send()).toBe(0);
    await clients.ada.move(id, 'resolved');
    await clients.ada.move(id, 'resolved', 'Really');
    expect(await Promise.all([notices.send(), notices.send()])).toContain(1);
    expect(notifier.sent).toEqual([
      {
        user: 'user:default/grace',
        title: 'Your feedback is resolved',
        description: 'The new navigation is great',
        link: `/feedback/mine/${id}`,
        scope: `feedback:${id}`,
      },
    ]);
    expect(await notices.send()).toBe(0);
  });

  it('notify a sender of archived feedback, unless archiving is undone within minutes', async () => {
    const archive = async () => {
      const { id } = (await clients.grace.submit()).body;
      await clients.ada.move(id, 'archived');
      return id;
    };
    const [id, other] = [await archive(), await archive()];
    expect(await notices.send()).toBe(0);
    await clients.ada.move(other, 'new');
    clock.now += ARCHIVED_PAUSE_MS;
    await notices.send();
    expect(notifier.sent).toMatchObject([
      { title: 'Your feedback is archived', link: `/feedback/mine/${id}` },
    ]);
  });

  it('notify a sender once of feedback that is archived after it was resolved', async () => {
    const { id } = (await clients.grace.submit()).body;
    await clients.ada.move(id, 'resolved');
    await clients.ada.move(id, 'archived');
    await notices.send();
    clock.now += ARCHIVED_PAUSE_MS;
    await notices.send();
    expect(notifier.sent.map(({ title }) => title)).toEqual([
      'Your feedback is resolved',
    ]);
  });

  it('notify a sender at once of archived feedback that is resolved after all', async () => {
    const { id } = (await clients.grace.submit()).body;
    await clients.ada.move(id, 'archived');
    await clients.ada.move(id, 'resolved');
    const titles = () => notifier.sent.map(({ title }) => title);
    await notices.send();
    expect(titles()).toEqual(['Your feedback is resolved']);
    clock.now += ARCHIVED_PAUSE_MS;
    await notices.send();
    expect(titles()).toHaveLength(1);
  });

  it('notify a sender of feedback that is resolved while the notice of its archiving is sent', async () => {
    const { id } = (await clients.grace.submit()).body;
    await clients.ada.move(id, 'archived');
    clock.now += ARCHIVED_PAUSE_MS;
    notifier.onSend = async () => {
      notifier.onSend = async () => undefined;
      await clients.ada.move(id, 'resolved');
    };
    await notices.send();
    expect(notifier.sent.map(({ title }) => title)).toEqual([
      'Your feedback is archived',
      'Your feedback is resolved',
    ]);
  });

  it('name the component that they are about in their scope', async () => {
    const about = async (component: string) => {
      const { id } = (await clients.grace.submit({ context: { component } }))
        .body;
      await clients.ada.move(id, 'resolved');
      return id;
    };
    const ids = [await about('Component:demo/Cart'), await about('Cart page')];
    await notices.send();
    expect(notifier.sent.map(({ scope }) => scope)).toEqual([
      `component:demo/cart feedback:${ids[0]}`,
      `feedback:${ids[1]}`,
    ]);
  });

  it('are not sent for anonymous or reopened feedback', async () => {
    const anonymous = await clients.grace.submit({ user: { anonymous: true } });
    await clients.ada.move(anonymous.body.id, 'resolved');
    const { id } = (await clients.grace.submit()).body;
    await clients.ada.move(id, 'resolved');
    await clients.ada.move(id, 'in_progress');
    expect(await notices.send()).toBe(0);
  });

  it('are not sent of what happened more than 30 days before the portal could be notified', async () => {
    const feedback = new FeedbackStore({ database });
    const late = new Notices({
      sources: [
        senderNotices(feedback),
        replyNotices(new ReplyStore({ database }), feedback),
      ],
      notifier,
      logger,
      now: () => clock.now,
    });
    const { now } = clock;
    for (const [wait, count] of [
      [31, 0],
      [29, 2],
    ]) {
      // Resets the clock, because sessions expire during the wait.
      clock.now = now;
      const { id } = (await clients.grace.submit()).body;
      await reply(clients.ada, id, 'It is fixed');
      await clients.ada.move(id, 'resolved');
      clock.now += wait * 24 * 3_600_000;
      await late.send();
      expect(notifier.sent).toHaveLength(count);
    }
    expect(await late.send()).toBe(0);
    clock.now = now;
  });

  it('are not sent for feedback that is reopened while others are notified', async () => {
    const first = (await clients.grace.submit()).body.id;
    const second = (await clients.grace.submit()).body.id;
    await clients.ada.move(first, 'resolved');
    clock.now += 1_000;
    await clients.ada.move(second, 'resolved');
    notifier.onSend = () => clients.ada.move(second, 'in_progress');
    await notices.send();
    expect(notifier.sent.map(({ scope }) => scope)).toEqual([
      `feedback:${first}`,
    ]);
  });

  it('are sent once by two replicas, even if the portal takes long for each', async () => {
    for (let count = 0; count < 10; count += 1) {
      const { id } = (await clients.grace.submit()).body;
      await clients.ada.move(id, 'resolved');
    }
    const other = new Notices({
      sources: [senderNotices(new FeedbackStore({ database }))],
      notifier,
      logger,
      now: () => clock.now,
    });
    notifier.onSend = async () => {
      clock.now += 10_000;
      if (notifier.sent.length === 8) {
        await other.send();
      }
    };
    await notices.send();
    expect(notifier.sent).toHaveLength(10);
    expect(new Set(notifier.sent.map(({ scope }) => scope)).size).toBe(10);
  });

  it('are retried while the portal is down', async () => {
    const { id } = (await clients.grace.submit()).body;
    await clients.ada.move(id, 'resolved');
    notifier.isDown = true;
    expect(await notices.send()).toBe(0);
    notifier.isDown = false;
    expect(await notices.send()).toBe(0);
    clock.now += 60_000;
    expect(await notices.send()).toBe(1);
  });

  it('are sent again if sending was not recorded', async () => {
    const { id } = (await clients.grace.submit()).body;
    await clients.ada.move(id, 'resolved');
    const feedback = new FeedbackStore({ database });
    const complete = vi
      .spyOn(feedback.notices, 'complete')
      .mockRejectedValueOnce(new Error('The database is gone'));
    const failing = new Notices({
      sources: [senderNotices(feedback)],
      notifier,
      logger,
      now: () => clock.now,
    });
    await expect(failing.send()).rejects.toThrow('gone');
    expect(logger.warn).not.toHaveBeenCalled();
    complete.mockRestore();
    clock.now += 60_000;
    expect(await failing.send()).toBe(1);
  });

  it('log once per outage why they fail, and when they are given up', async () => {
    const { id } = (await clients.grace.submit()).body;
    await clients.ada.move(id, 'resolved');
    notifier.isDown = true;
    for (let attempt = 0; attempt < 79; attempt += 1) {
      await notices.send();
      clock.now += 3_600_000;
    }
    expect(logger.warn.mock.calls).toEqual([
      [
        { err: expect.objectContaining({ message: 'down' }) },
        expect.any(String),
      ],
    ]);
    await notices.send();
    expect(logger.warn).toHaveBeenLastCalledWith(
      { feedbackId: id },
      expect.any(String),
    );
    notifier.isDown = false;
    clock.now += 3_600_000;
    expect(await notices.send()).toBe(0);
  });
});
