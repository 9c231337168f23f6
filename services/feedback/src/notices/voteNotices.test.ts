import { testDatabaseClients } from '@slipway/service-kit/testing';
import { automationSuite } from '../__testUtils__/automationSuite.ts';
import {
  closeVoting,
  openVoting,
  pathOf,
  takeBack,
  vote,
} from '../__testUtils__/thread.ts';
import { FeedbackStore } from '../storage/FeedbackStore.ts';
import { ARCHIVED_PAUSE_MS } from '../storage/tellSender.ts';
import { VoteStore } from '../storage/VoteStore.ts';
import { type Notification, Notices } from './Notices.ts';
import { senderNotices } from './senderNotices.ts';
import { voteNotices } from './voteNotices.ts';

describe.each(testDatabaseClients())('vote notices on %s', databaseClient => {
  const suite = automationSuite(databaseClient);

  async function start() {
    const clock = { now: Date.now() };
    const now = () => clock.now;
    const clients = await suite.start({ now });
    const { database } = suite;
    const feedback = new FeedbackStore({ database });
    const sent: Notification[] = [];
    const notifier = {
      send: async (notification: Notification) => void sent.push(notification),
    };
    const notices = new Notices({
      sources: [
        senderNotices(feedback),
        voteNotices(new VoteStore({ database }), feedback),
      ],
      notifier,
      logger: { info: vi.fn(), warn: vi.fn() },
      now,
    });
    /** Sends the due notices and returns them. */
    const due = async () => {
      sent.length = 0;
      await notices.send();
      return sent.map(({ user, title }) => `${user} ${title}`).sort();
    };
    return { ...clients, clock, due, sent, notifier };
  }

  it('tell voters each status, without what the sender wrote', async () => {
    const { ada, grace, nobody, due, sent } = await start();
    const { id } = (
      await nobody.submit({ context: { component: 'component:demo/secret' } })
    ).body;
    await openVoting(ada, id, 'A faster search');
    await vote(grace, id);
    await ada.move(id, 'in_progress');
    await due();
    expect(sent).toEqual([
      {
        user: 'user:default/grace',
        title: 'Feedback you voted for is in progress',
        description: 'A faster search',
        link: `/feedback/voting/${id}`,
        scope: `feedback:${id}:votes`,
      },
    ]);
    await ada.move(id, 'in_progress', 'Still');
    expect(await due()).toEqual([]);
    // Several changes in a row cause a single notice, about the last one.
    await ada.move(id, 'validated');
    await ada.move(id, 'resolved');
    expect(await due()).toEqual([
      'user:default/grace Feedback you voted for is resolved',
    ]);
    await ada.move(id, 'new');
    expect(await due()).toEqual([]);
  });

  it('stop once the vote is taken back, and go on if voting was closed', async () => {
    const { ada, grace, nobody, due } = await start();
    const { id } = (await nobody.submit()).body;
    await openVoting(ada, id, 'A faster search');
    await vote(grace, id);
    await closeVoting(ada, id);
    await ada.move(id, 'in_progress');
    await takeBack(grace, id);
    expect(await due()).toEqual([]);
    await openVoting(ada, id, 'A faster search');
    await vote(grace, id);
    await closeVoting(ada, id);
    await ada.move(id, 'resolved');
    expect(await due()).toEqual([
      'user:default/grace Feedback you voted for is resolved',
    ]);
  });

  it('do not tell people of what they did themselves', async () => {
    const { ada, grace, nobody, due } = await start();
    const { id } = (await nobody.submit()).body;
    await openVoting(ada, id, 'A faster search');
    await vote(ada, id);
    await vote(grace, id);
    await ada.move(id, 'in_progress');
    expect(await due()).toEqual([
      'user:default/grace Feedback you voted for is in progress',
    ]);
  });

  it('do not repeat to senders that their feedback is resolved', async () => {
    const { ada, grace, due } = await start();
    const { id } = (await grace.submit()).body;
    await openVoting(ada, id, 'A faster search');
    await ada.move(id, 'resolved');
    expect(await due()).toEqual([
      'user:default/grace Your feedback is resolved',
    ]);
  });

  it('go to the senders of duplicates', async () => {
    const { ada, grace, nobody, clock, due } = await start();
    const target = (await nobody.submit()).body.id;
    await openVoting(ada, target, 'A faster search');
    const { id } = (await grace.submit()).body;
    await ada.post(`${pathOf(id)}/merge`, { into: target });
    expect(await due()).toEqual([]);
    clock.now += ARCHIVED_PAUSE_MS;
    expect(await due()).toEqual([
      'user:default/grace Your feedback is merged with similar feedback',
    ]);
    await ada.move(target, 'in_progress');
    expect(await due()).toEqual([
      'user:default/grace Feedback you voted for is in progress',
    ]);
  });

  it('tell voters about a new public note, unless it has been removed', async () => {
    const { ada, grace, nobody, clock, due, sent } = await start();
    const { id } = (await nobody.submit()).body;
    await openVoting(ada, id, 'A faster search');
    await vote(ada, id);
    await vote(grace, id);
    await openVoting(ada, id, 'A faster search', 'Planned for May');
    await due();
    expect(sent).toEqual([
      {
        user: 'user:default/grace',
        title: 'Public note on feedback you voted for',
        description: 'A faster search: Planned for May',
        link: `/feedback/voting/${id}`,
        scope: `feedback:${id}:note`,
      },
    ]);
    await openVoting(ada, id, 'A much faster search', 'Planned for May');
    await openVoting(ada, id, 'A faster search');
    expect(await due()).toEqual([]);
    await openVoting(ada, id, 'A faster search', 'Planned for June');
    await openVoting(ada, id, 'A faster search', '');
    expect(await due()).toEqual([]);
    await openVoting(ada, id, 'A faster search', 'Planned for June');
    clock.now += 31 * 86_400_000;
    expect(await due()).toEqual([]);
    expect(await suite.database.knex('kit_queue')).toEqual([]);
  });

  it('tell voters about a note that replaced another one while that was being sent', async () => {
    const { ada, grace, nobody, clock, due, sent, notifier } = await start();
    const { id } = (await nobody.submit()).body;
    await openVoting(ada, id, 'A faster search');
    await vote(grace, id);
    await openVoting(ada, id, 'A faster search', 'Planned for May');
    vi.spyOn(notifier, 'send').mockImplementationOnce(async () => {
      clock.now += 1_000;
      await openVoting(ada, id, 'A faster search', 'Planned for June');
    });
    await due();
    expect(sent).toMatchObject([
      { description: 'A faster search: Planned for June' },
    ]);
  });

  it('are not sent of what happened more than 30 days ago', async () => {
    const { ada, grace, nobody, clock, due } = await start();
    const { id } = (await nobody.submit()).body;
    await openVoting(ada, id, 'A faster search');
    await vote(grace, id);
    await ada.move(id, 'resolved');
    clock.now += 31 * 86_400_000;
    expect(await due()).toEqual([]);
    expect(await suite.database.knex('kit_queue')).toEqual([]);
  });
});
