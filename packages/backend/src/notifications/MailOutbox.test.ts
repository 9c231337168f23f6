import path from 'node:path';
import { mockServices, TestDatabases } from '@backstage/backend-test-utils';
import { openDatabase } from '@slipway/portal-kit/database';
import type { Knex } from 'knex';
import { type Mail, MailOutbox } from './MailOutbox';

const SECOND_MS = 1_000;
const DAY_MS = 86_400_000;

const databases = TestDatabases.create({ ids: ['SQLITE_3', 'POSTGRES_18'] });

/** Creates an error of a mail server as nodemailer reports it. */
const smtpError = (code: string, responseCode?: number, command?: string) =>
  Object.assign(new Error(code), { code, responseCode, command });

/** Creates the error of a rejected recipient. */
const recipientError = (responseCode: number) =>
  smtpError('EENVELOPE', responseCode, 'RCPT TO');

describe.each(databases.eachSupportedId())('mails on %s', id => {
  let knex: Knex;
  let now: number;
  let received: Mail[];
  /** Attempts by recipient, including those that failed. */
  let attempts: unknown[];
  /** Returns the mail server's error for a mail; undefined to accept it. */
  let faultOf: (mail: Mail) => Error | undefined;

  beforeEach(async () => {
    const client = await databases.init(id);
    knex = await openDatabase({
      database: { getClient: async () => client },
      migrations: path.resolve(__dirname, '../../migrations/notifications'),
    });
    now = Date.now();
    received = [];
    attempts = [];
    faultOf = () => undefined;
  });

  /** Creates a replica; a second one simulates a restart. */
  const replica = (database = knex) =>
    new MailOutbox({
      knex: database,
      host: 'portal.example.org',
      logger: mockServices.rootLogger(),
      now: () => now,
      async transport() {
        return {
          async sendMail(mail) {
            attempts.push(mail.to);
            const fault = faultOf(mail);
            if (fault) {
              throw fault;
            }
            received.push(mail);
          },
        };
      },
    });

  const left = async () => (await knex('slipway_mails').select('id')).length;

  it('sends a mail at once, and once', async () => {
    const outbox = replica();
    await outbox.add({ to: 'grace@example.org' });
    await outbox.run();
    await replica().run();
    expect(received).toEqual([
      {
        to: 'grace@example.org',
        messageId: expect.stringMatching(/^<[\w-]+@portal\.example\.org>$/),
      },
    ]);
    expect(await left()).toBe(0);
  });

  it('loses nothing while the mail server is down, even over a restart, and sends nothing twice', async () => {
    faultOf = () => smtpError('ECONNECTION');
    const outbox = replica();
    await outbox.add({ to: 'ada' });
    await outbox.add({ to: 'grace' });
    await outbox.run();
    await outbox.run();
    expect(received).toEqual([]);
    const tried = attempts.length;
    // Runs before the next attempt is due do not contact the mail server.
    await outbox.run();
    expect(attempts).toHaveLength(tried);

    faultOf = () => undefined;
    now += 31 * SECOND_MS;
    await Promise.all([replica().run(), replica().run()]);
    await replica().run();
    expect(received.map(({ to }) => to).sort()).toEqual(['ada', 'grace']);
    expect(await left()).toBe(0);
  });

  it('keeps the id of a mail that is sent again', async () => {
    const ids: unknown[] = [];
    faultOf = ({ messageId }) => {
      ids.push(messageId);
      return ids.length === 1 ? smtpError('ETIMEDOUT') : undefined;
    };
    const outbox = replica();
    await outbox.add({ to: 'ada' });
    await outbox.run();
    now += 31 * SECOND_MS;
    await outbox.run();
    expect(ids).toHaveLength(2);
    expect(ids[0]).toBe(ids[1]);
  });

  it('sends the others when one mail is refused or fails', async () => {
    faultOf = ({ to }) =>
      ({
        unknown: recipientError(550),
        greylisted: recipientError(451),
      })[String(to)];
    const outbox = replica();
    for (const to of ['unknown', 'greylisted', 'ada']) {
      await outbox.add({ to });
      now += 1;
    }
    await outbox.run();
    await outbox.run();
    expect(received.map(({ to }) => to)).toEqual(['ada']);
    expect(attempts.filter(to => to === 'unknown')).toHaveLength(1);
    expect(await left()).toBe(1);
  });

  it.each([
    ['sends the others at once when a mailbox is full', 452, ['grace']],
    ['asks a mail server that closes the connection once', 421, []],
  ])('%s', async (_, response, expected) => {
    faultOf = () => smtpError('ECONNECTION');
    const outbox = replica();
    for (const to of ['ada', 'ada', 'ada', 'grace']) {
      await outbox.add({ to });
    }
    await outbox.run();
    now += 61 * SECOND_MS;
    attempts = [];
    faultOf = ({ to }) => (to === 'ada' ? recipientError(response) : undefined);
    // In the order in which they were added.
    await knex('slipway_mails').update({ next_at: now });
    await knex('slipway_mails')
      .where('mail', 'like', '%grace%')
      .update({ next_at: now + 1 });
    now += 1;
    await replica().run();
    expect(received.map(({ to }) => to)).toEqual(expected);
    expect(attempts).toHaveLength(expected.length === 0 ? 1 : 4);
  });

  it.each([
    ['the sender', smtpError('EENVELOPE', 454, 'MAIL FROM'), 1],
    ['the content', smtpError('EMESSAGE', 452, 'DATA'), 1],
    ['each recipient', recipientError(450), 5],
  ])(
    'stops asking a mail server that rejects %s for the moment',
    async (_, error, expected) => {
      const due = Array.from({ length: 8 }, (_each, index) => ({
        id: String(index),
        mail: JSON.stringify({ to: `user ${index}` }),
        created_at: now,
        attempts: 0,
        next_at: now,
      }));
      await knex('slipway_mails').insert(due);
      faultOf = () => error;
      await replica().run();
      expect(attempts).toHaveLength(expected);
    },
  );

  it('waits until a replica that stopped while sending has had its time', async () => {
    const hanging = new Promise<void>(() => {});
    const stopped = new MailOutbox({
      knex,
      host: 'portal.example.org',
      logger: mockServices.rootLogger(),
      now: () => now,
      transport: async () => ({ sendMail: () => hanging }),
    });
    await stopped.add({ to: 'ada' });
    await vi.waitFor(async () =>
      expect(await knex('slipway_mails').first()).toMatchObject({
        leased_until: expect.anything(),
      }),
    );
    await replica().run();
    expect(received).toEqual([]);
    now += 16 * 60 * SECOND_MS;
    await replica().run();
    expect(received).toHaveLength(1);
  });

  it('leaves a mail alone that another replica tries meanwhile', async () => {
    await knex('slipway_mails').insert({
      id: '1',
      mail: JSON.stringify({ to: 'ada' }),
      created_at: now,
      attempts: 0,
      next_at: now,
    });
    faultOf = () => smtpError('ECONNECTION');
    let isFirst = true;
    // The other replica runs between the query for the mail and its reservation.
    const interrupted = new Proxy(knex, {
      apply(target, _self, args: Parameters<Knex>) {
        const query = target(...args);
        if (isFirst) {
          isFirst = false;
          const then = query.then.bind(query);
          query.then = (onDone, onFailed) =>
            then(async found => {
              await replica().run();
              return found;
            }).then(onDone, onFailed);
        }
        return query;
      },
    });
    await replica(interrupted).run();
    expect(attempts).toEqual(['ada']);
  });

  /** A notification as the plugin has stored it. */
  const notification = (
    user: string,
    scope: string,
  ): Parameters<MailOutbox['add']>[1] => ({
    id: `id of ${scope}`,
    user: `user:default/${user}`,
    created: new Date(now),
    origin: 'plugin:inbox',
    payload: { title: scope, scope },
  });

  it('drops what is done, and what is about a namespace that is removed', async () => {
    await knex.schema.createTable('notification', table => {
      table.string('id');
      table.string('read');
    });
    faultOf = () => smtpError('ECONNECTION');
    const outbox = replica();
    const add = (to: string, scope: string) =>
      outbox.add({ to }, notification(to, scope));
    await add('ada', 'shop#3');
    await add('grace', 'shop#3');
    await add('grace', 'shop#4');
    await add('grace', 'component:demo/cart cart#1');
    await outbox.add(
      { to: 'maya' },
      { ...notification('maya', 'shop#5')!, user: 'user:demo/maya' },
    );
    await outbox.run();
    await outbox.drop('user:default/grace', ['shop#3', 'other']);
    await outbox.forgetNamespace('demo');
    await knex('notification').insert({ id: 'id of shop#4', read: null });

    faultOf = () => undefined;
    now += 31 * SECOND_MS;
    await replica().run();
    expect(received.map(({ to }) => to).sort()).toEqual(['ada', 'grace']);
    expect(await left()).toBe(0);
  });

  it('drops what nobody could send for a week', async () => {
    faultOf = () => smtpError('EAUTH', 535);
    const outbox = replica();
    await outbox.add({ to: 'ada' });
    await outbox.run();
    expect(await left()).toBe(1);
    now += 8 * DAY_MS;
    await outbox.run();
    expect(await left()).toBe(0);
    expect(received).toEqual([]);
  });
});
