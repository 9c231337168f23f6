import path from 'node:path';
import { mockServices, TestDatabases } from '@backstage/backend-test-utils';
import { catalogServiceMock } from '@backstage/plugin-catalog-node/testUtils';
import type { NotificationSendOptions } from '@backstage/plugin-notifications-node';
import type { Need } from '@slipway/entity-contract';
import { openDatabase } from '@slipway/portal-kit/database';
import type { Knex } from 'knex';
import { Announcer } from './Announcer';
import type { Owner } from './PartsClient';
import { InboxStore } from './storage/InboxStore';

const GRACE = 'user:default/grace';
const ADA = 'user:default/ada';
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

const user = (name: string, ...groups: string[]) => ({
  apiVersion: 'backstage.io/v1alpha1',
  kind: 'User',
  metadata: { name, namespace: 'default' },
  relations: groups.map(group => ({
    type: 'memberOf',
    targetRef: `group:default/${group}`,
  })),
});

const need = (key: string, more: Partial<Need> = {}): Need => ({
  key,
  kind: 'build-failed',
  title: `${key} failed`,
  at: new Date().toISOString(),
  tone: 'bad',
  page: `/builds/${key}`,
  action: 'View build',
  ...more,
});

const databases = TestDatabases.create({ ids: ['SQLITE_3', 'POSTGRES_18'] });

describe.each(databases.eachSupportedId())('announcing on %s', id => {
  let now: number;
  let knex: Knex;
  let store: InboxStore;
  let inboxes: Record<string, Need[]>;
  let missing: string[];
  let incomplete: string[];
  let asked: Owner[];
  let sent: NotificationSendOptions[];
  /** Notifications that are still unread, by scope. */
  let unread: { user: string; scope: string; sentAt: number }[];
  let isDown: boolean;

  beforeEach(async () => {
    const client = await databases.init(id);
    knex = await openDatabase({
      database: { getClient: async () => client },
      migrations: path.resolve(__dirname, '../../migrations/inbox'),
    });
    store = new InboxStore(knex);
    now = Date.now();
    inboxes = {};
    missing = [];
    incomplete = [];
    asked = [];
    sent = [];
    unread = [];
    isDown = false;
  });

  /** Creates a replica; a second one simulates a restart. */
  function replica() {
    return new Announcer({
      store,
      parts: {
        async read(owner) {
          asked.push(owner);
          const needs = inboxes[owner.ref] ?? [];
          return { needs, missing, incomplete };
        },
      },
      catalog: catalogServiceMock({
        entities: [user('grace', 'payments'), user('ada')],
      }),
      notifications: {
        async send(options) {
          if (isDown) {
            throw new Error('down');
          }
          sent.push(options);
        },
      },
      sent: {
        async markRead({ isRead }) {
          unread = unread.filter(each => !isRead.get(each.user)?.(each));
        },
      },
      auth: mockServices.auth(),
      logger: mockServices.rootLogger(),
      now: () => now,
    });
  }

  const run = (announcer = replica()) =>
    announcer.run(new AbortController().signal);

  /** Runs again after everyone is due. */
  const runLater = (announcer?: Announcer) => {
    now += 11 * MINUTE_MS;
    return run(announcer);
  };

  const titles = () => sent.map(({ payload }) => payload.title);

  it('sends each new item once, to its user only, across runs and a restart', async () => {
    inboxes = { [GRACE]: [need('shop#3', { detail: 'Lint' })] };
    const first = replica();
    await run(first);
    expect(sent).toEqual([
      {
        recipients: { type: 'entity', entityRef: GRACE },
        payload: {
          title: 'shop#3 failed',
          description: 'Lint',
          link: '/builds/shop#3',
          severity: 'high',
          topic: 'build-failed',
          scope: 'shop#3',
        },
      },
    ]);
    await runLater(first);
    await runLater(replica());
    expect(sent).toHaveLength(1);
    inboxes[GRACE] = [];
    await runLater();
    inboxes[GRACE] = [need('shop#4')];
    await runLater();
    expect(titles()).toEqual(['shop#3 failed', 'shop#4 failed']);
  });

  it('marks what is gone as read for everyone, if all parts said everything', async () => {
    const about = (name: string, scope: string, sentAt = now) => ({
      ...{ user: name, scope, sentAt },
    });
    unread = [about(GRACE, 'approval'), about(ADA, 'approval')];
    unread.push(about(GRACE, 'build'), about(GRACE, 'new', now + DAY_MS));
    inboxes = { [GRACE]: [need('build')] };
    missing = ['Builds'];
    await runLater();
    missing = [];
    incomplete = ['Builds'];
    await runLater();
    expect(unread).toHaveLength(4);
    incomplete = [];
    await runLater();
    expect(unread.map(({ scope }) => scope)).toEqual(['build', 'new']);
  });

  it('asks for absent users with the groups of the catalog, and without credentials', async () => {
    await run();
    expect(asked).toHaveLength(2);
    expect(asked).toEqual(
      expect.arrayContaining([
        { ref: GRACE, ownership: [GRACE, 'group:default/payments'] },
        { ref: ADA, ownership: [ADA] },
      ]),
    );
  });

  it('sends once with two replicas at the same time', async () => {
    inboxes = { [GRACE]: [need('a'), need('b')], [ADA]: [need('a')] };
    await Promise.all([run(replica()), run(replica()), run(replica())]);
    expect(titles().sort()).toEqual(['a failed', 'a failed', 'b failed']);
  });

  it('sends again after a failure, and after a replica that stopped while sending', async () => {
    inboxes = { [GRACE]: [need('a')] };
    isDown = true;
    await run();
    isDown = false;
    await runLater();
    expect(titles()).toEqual(['a failed']);

    inboxes = { [GRACE]: [need('b')] };
    await store.record(GRACE, [{ key: 'b' }], now);
    await store.lease(GRACE, 'b', { now, until: now + 12 * MINUTE_MS });
    await runLater();
    expect(titles()).toEqual(['a failed']);
    await runLater();
    expect(titles()).toEqual(['a failed', 'b failed']);
  });

  it('sends nothing about what is set aside, until a snooze ends', async () => {
    inboxes = { [GRACE]: [need('done'), need('snoozed')] };
    await store.record(GRACE, [{ key: 'done' }, { key: 'snoozed' }], now);
    await store.setAside(GRACE, 'done', { state: 'done', until: null });
    await store.setAside(GRACE, 'snoozed', {
      state: 'snoozed',
      until: now + 15 * MINUTE_MS,
    });
    await run();
    await runLater();
    expect(sent).toEqual([]);
    await runLater();
    expect(titles()).toEqual(['snoozed failed']);
  });

  it('does not announce the past when it begins, even if a part was down', async () => {
    const old = { at: new Date(now - 2 * DAY_MS).toISOString() };
    inboxes = { [GRACE]: [need('old', old)] };
    missing = ['Flags'];
    await run();
    inboxes[GRACE].push(need('old flag', old), need('new'));
    missing = [];
    await runLater();
    expect(titles()).toEqual(['new failed']);
    inboxes[GRACE].push(need('later', old));
    await runLater();
    expect(titles()).toEqual(['new failed', 'later failed']);
  });

  it('checks visitors of the inbox in each run, and others every ten minutes', async () => {
    const announcer = replica();
    await store.visit(GRACE, now);
    await run(announcer);
    now += MINUTE_MS;
    await run(announcer);
    expect(asked.map(({ ref }) => ref).sort()).toEqual([ADA, GRACE, GRACE]);
    now += 9 * MINUTE_MS + 1;
    await run(announcer);
    expect(asked).toHaveLength(5);
  });

  it('ignores visitors who are not in the catalog, and stops when told', async () => {
    await store.visit('user:default/gone', now);
    await replica().run(AbortSignal.abort());
    expect(asked).toEqual([]);
    await run();
    expect(asked.map(({ ref }) => ref).sort()).toEqual([ADA, GRACE]);
  });

  it('forgets users who left the catalog, with their items, once they have been gone for long', async () => {
    const LIN = 'user:default/lin';
    const users = async () =>
      (await knex('inbox_users')).map(row => row.user_ref);
    await store.addUsers([LIN, 'user:default/visitor']);
    await store.record(LIN, [{ key: 'a' }], now);
    await run();
    const leftAt = now;
    await runLater();
    await store.purge(leftAt);
    expect(await users()).toContain(LIN);

    // Not in the catalog, but opened the inbox: signed in without an entity.
    await store.visit('user:default/visitor', now);
    await store.record(LIN, [{ key: 'a' }], now);
    await store.purge(leftAt + 1);
    expect((await users()).sort()).toEqual([
      ADA,
      GRACE,
      'user:default/visitor',
    ]);
    expect(await store.setAside(LIN, 'a', null)).toBe(false);
  });

  it('keeps a user who is in the catalog again', async () => {
    const LIN = 'user:default/lin';
    await store.addUsers([LIN]);
    await store.missed(LIN, now);
    await store.checked(LIN, { now: now + 1, isComplete: true });
    await store.purge(now + 2);
    expect(await knex('inbox_users').where({ user_ref: LIN })).toHaveLength(1);
  });

  it('forgets a namespace: its users, and what others heard about it', async () => {
    const about = { entityRef: 'component:demo/cart' };
    await store.addUsers(['user:demo/maya']);
    await store.record('user:demo/maya', [{ key: 'a' }], now);
    inboxes = { [GRACE]: [need('cart', about), need('shop')] };
    await run();
    expect(await store.forgetNamespace('demo')).toBe(2);
    const left = {
      users: await knex('inbox_users'),
      items: await knex('inbox_items'),
    };
    expect(left.users.map(row => row.user_ref).sort()).toEqual([ADA, GRACE]);
    expect(left.items.map(row => row.key)).toEqual(['shop']);
  });

  it('records what an item is about, even if it was not known at first', async () => {
    await store.record(GRACE, [{ key: 'a' }], now);
    const item = { key: 'a', entityRef: 'component:demo/cart', scope: 'w-1' };
    await store.record(GRACE, [item], now);
    expect(await store.find(GRACE, 'a')).toEqual(item);
    expect(await store.find(ADA, 'a')).toBeUndefined();
  });

  it('records more items than fit into one SQL statement', async () => {
    const items = Array.from({ length: 1_000 }, (_, index) => ({
      key: `build:shop#${index}`,
    }));
    expect((await store.record(GRACE, items, now)).size).toBe(1_000);
    expect(await store.setAside(GRACE, 'build:shop#999', null)).toBe(true);
    expect((await store.record(GRACE, items, now + 2 * DAY_MS)).size).toBe(
      1_000,
    );
  });

  it('forgets items that nobody reports anymore', async () => {
    await store.record(GRACE, [{ key: 'old' }, { key: 'lasting' }], now);
    const later = now + 2 * DAY_MS;
    await store.record(GRACE, [{ key: 'lasting' }], later);
    await store.purge(later);
    expect(await store.setAside(GRACE, 'old', null)).toBe(false);
    expect(await store.setAside(GRACE, 'lasting', null)).toBe(true);
  });
});
