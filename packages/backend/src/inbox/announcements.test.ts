import { mkdtempSync, rmSync } from 'node:fs';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { globalAgent } from 'node:https';
import {
  type AddressInfo,
  connect,
  type Server as NetServer,
  type Socket,
} from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { databaseServiceFactory } from '@backstage/backend-defaults/database';
import {
  coreServices,
  createServiceFactory,
} from '@backstage/backend-plugin-api';
import {
  mockCredentials,
  mockServices,
  startTestBackend,
  type TestBackend,
  TestDatabases,
} from '@backstage/backend-test-utils';
import notificationsPlugin from '@backstage/plugin-notifications-backend';
import { catalogServiceRef } from '@backstage/plugin-catalog-node';
import { catalogServiceMock } from '@backstage/plugin-catalog-node/testUtils';
import { SMTPServer } from 'smtp-server';
import request from 'supertest';
import { notificationChannels } from '../notifications/channels';
import { sentNotificationsModule } from '../notifications/SentNotifications';
import { serviceProxyPlugin } from '../serviceProxy/plugin';
import { inboxPlugin } from './plugin';

// Tests the way from a failed build to the mail or message about it, through the portal's own
// plugins.

const MAIL = 'Email';
const SLACK = 'SlackNotificationProcessor';
const SLACK_TOKEN = 'xoxb-test';

/** A user who wants notifications about builds through a single channel. */
const user = (name: string) => ({
  apiVersion: 'backstage.io/v1alpha1',
  kind: 'User',
  metadata: {
    name,
    namespace: 'default',
    annotations: { 'slack.com/bot-notify': `U-${name}` },
  },
  spec: { profile: { email: `${name}@example.org` }, memberOf: [] },
});

const failure = (number: number) => ({
  key: `build:shop#${number}`,
  kind: 'build-failed',
  title: `shop #${number} failed`,
  detail: 'Lint <b>fails</b>',
  at: new Date().toISOString(),
  tone: 'bad',
  page: `/builds/shop/${number}`,
  action: 'View build',
});

/** The items that the build server reports for each user, by user reference. */
let needs: Record<string, object[]> = {};
/** The user whose items do not all fit into a summary. */
let busiest: string | undefined;
const mails: { to: string; subject?: string; content: string }[] = [];
const messages: { channel: string; text: string }[] = [];
/** Servers of this test, which are closed when it ends. */
const servers: Pick<NetServer, 'close'>[] = [];

async function portOf(server: NetServer): Promise<number> {
  servers.push(server);
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** A fake build server. */
const buildServer = createServer((req, res) => {
  const [, ref] = /entities\/([^/]+)\/summary$/.exec(req.url!)!;
  res.setHeader('content-type', 'application/json');
  res.end(
    JSON.stringify({
      state: 'bad',
      facts: [],
      needs: needs[decodeURIComponent(ref)] ?? [],
      moreNeeds: decodeURIComponent(ref) === busiest,
    }),
  );
});

/**
 * A fake Slack, which accepts the requests that `chat.postMessage` accepts, with the bot's token.
 */
const slack = createServer((req, res) => {
  void text(req).then(body => {
    const form = new URLSearchParams(body);
    const isRight =
      req.url === '/api/chat.postMessage' &&
      req.headers.host === 'slack.com' &&
      req.headers.authorization === `Bearer ${SLACK_TOKEN}`;
    if (isRight) {
      const blocks = `${form.get('blocks') ?? ''}${form.get('attachments') ?? ''}`;
      messages.push({
        channel: form.get('channel')!,
        text: `${form.get('text')} ${blocks}`,
      });
    }
    res.setHeader('content-type', 'application/json');
    res.end(
      JSON.stringify(
        isRight
          ? { ok: true, ts: `17.${messages.length}` }
          : { ok: false, error: 'invalid_auth' },
      ),
    );
  });
});

const mailServer = new SMTPServer({
  secure: false,
  authOptional: true,
  disabledCommands: ['STARTTLS'],
  onData(stream, { envelope }, done) {
    void text(stream).then(content => {
      for (const { address } of envelope.rcptTo) {
        const [, subject] = /^Subject: (.*)\r$/m.exec(content) ?? [];
        mails.push({ to: address, subject, content });
      }
      done();
    });
  },
});

let ports: { buildServer: number; mail: number };

beforeAll(async () => {
  const slackPort = await portOf(slack.listen(0, '127.0.0.1'));
  // Redirects connections to slack.com to the fake. `createConnection` is missing from the agent's
  // type.
  const agent = globalAgent as unknown as { createConnection(): Socket };
  vi.spyOn(agent, 'createConnection').mockImplementation(() =>
    connect(slackPort, '127.0.0.1'),
  );
  ports = {
    buildServer: await portOf(buildServer.listen(0, '127.0.0.1')),
    mail: await portOf(mailServer.listen(0, '127.0.0.1')),
  };
});

afterAll(async () => {
  vi.restoreAllMocks();
  await Promise.all(
    servers.map(
      server =>
        new Promise<void>(resolve => {
          server.close(() => resolve());
        }),
    ),
  );
});

const databases = TestDatabases.create({ ids: ['SQLITE_3', 'POSTGRES_18'] });

/** Configures a database for all plugins of a portal. */
async function configureDatabase(id: string, directory: string) {
  if (id === 'SQLITE_3') {
    return { client: 'better-sqlite3', connection: { directory } };
  }
  const { client } = await databases.init('POSTGRES_18');
  const { connection } = client.config;
  return {
    client: 'pg',
    pluginDivisionMode: 'schema',
    // Knex makes the password non-enumerable, so it is copied explicitly.
    connection: { ...connection, password: connection.password },
    knexConfig: { pool: { min: 0, max: 4 } },
  };
}

/** Starts a portal; portals with the same database are replicas. */
async function startPortal(database: object) {
  const scheduler = mockServices.scheduler();
  const backend = await startTestBackend({
    features: [
      inboxPlugin,
      notificationsPlugin,
      notificationChannels,
      sentNotificationsModule,
      serviceProxyPlugin,
      databaseServiceFactory,
      createServiceFactory({
        service: catalogServiceRef,
        deps: {},
        factory: () =>
          catalogServiceMock({
            entities: [user('grace'), user('lin'), user('ada')],
          }),
      }),
      // Runs tasks only when the test does.
      createServiceFactory({
        service: coreServices.scheduler,
        deps: {},
        factory: () => scheduler,
      }),
      mockServices.rootConfig.factory({
        data: {
          app: { baseUrl: 'https://portal.example.org' },
          backend: { baseUrl: 'http://localhost:7007', database },
          proxy: {
            endpoints: {
              '/build-server': {
                target: `http://127.0.0.1:${ports.buildServer}`,
              },
            },
          },
          inbox: { parts: [{ title: 'Builds', service: 'build-server' }] },
          notifications: {
            processors: {
              email: {
                transportConfig: {
                  transport: 'smtp',
                  hostname: '127.0.0.1',
                  port: ports.mail,
                },
                sender: 'slipway@example.org',
                throttleInterval: { milliseconds: 1 },
              },
              slack: [
                { token: SLACK_TOKEN, throttleInterval: { milliseconds: 1 } },
              ],
            },
            defaultSettings: {
              channels: [MAIL, SLACK].map(channel => ({
                id: channel,
                enabled: false,
              })),
            },
          },
        },
      }),
    ],
  });
  return {
    server: backend.server,
    stop: () => backend.stop(),
    announce: () => scheduler.triggerTask('announce-items'),
  };
}

/** Sends requests as a user. */
function as({ server }: Pick<TestBackend, 'server'>, name: string) {
  const authorization = mockCredentials.user.header(`user:default/${name}`);
  const send =
    (method: 'get' | 'post' | 'put' | 'delete') => (address: string) =>
      request(server)
        [method](`/api${address}`)
        .set('Authorization', authorization);
  return {
    get: send('get'),
    post: send('post'),
    put: send('put'),
    delete: send('delete'),
  };
}

describe.each(databases.eachSupportedId())('a failed build on %s', id => {
  let directory: string;
  let replicas: Awaited<ReturnType<typeof startPortal>>[] = [];

  beforeAll(async () => {
    directory = mkdtempSync(path.join(tmpdir(), 'inbox-'));
    const database = await configureDatabase(id, directory);
    // One after another, because Backstage's plugins create their tables at startup.
    replicas = [await startPortal(database)];
    replicas.push(await startPortal(database));
    needs = {};
    for (const { announce } of replicas) {
      await announce();
    }
  });

  beforeEach(() => {
    mails.length = 0;
    messages.length = 0;
  });

  afterAll(async () => {
    await Promise.all(replicas.map(({ stop }) => stop()));
    rmSync(directory, { recursive: true });
  });

  const announceEverywhere = () =>
    Promise.all(replicas.map(({ announce }) => announce()));

  const choose = (name: string, ...channels: string[]) =>
    as(replicas[0], name)
      .post('/notifications/settings')
      .send({
        channels: channels.map(channel => ({
          id: channel,
          origins: [{ id: 'plugin:inbox', enabled: true, topics: [] }],
        })),
      })
      .expect(200);

  const notificationsOf = async (name: string) => {
    const { body } = await as(replicas[1], name).get(
      '/notifications/notifications',
    );
    return body.notifications.map(
      ({ payload }: { payload: { title: string } }) => payload.title,
    );
  };

  /** Opens Home, after which the user is checked in every run. */
  const openHome = (name: string) =>
    as(replicas[0], name).get('/inbox/items').expect(200);

  it('is told in the portal, and by the channel that each user chose, once', async () => {
    await choose('grace', MAIL);
    await choose('lin', SLACK);
    for (const name of ['grace', 'lin', 'ada']) {
      await openHome(name);
      needs[`user:default/${name}`] = [failure(3)];
    }
    await announceEverywhere();
    await announceEverywhere();
    await vi.waitFor(() =>
      expect([mails.length, messages.length]).toEqual([1, 1]),
    );

    const [mail] = mails;
    expect(mail).toMatchObject({
      to: 'grace@example.org',
      subject: 'shop #3 failed',
    });
    expect(mail.content).toContain('https://portal.example.org/builds/shop/3');
    const [message] = messages;
    expect(message.channel).toBe('U-lin');
    expect(message.text).toContain('shop #3 failed');
    expect(message.text).toContain('https://portal.example.org/builds/shop/3');
    for (const name of ['grace', 'lin', 'ada']) {
      expect(await notificationsOf(name)).toEqual(['shop #3 failed']);
    }
  });

  it('is not told again while it stays in the inbox, nor after it is done', async () => {
    await announceEverywhere();
    const key = encodeURIComponent(failure(3).key);
    await as(replicas[0], 'grace')
      .put(`/inbox/items/${key}/aside`)
      .send({ state: 'done' })
      .expect(200);
    await announceEverywhere();
    // Only the next build is announced.
    needs['user:default/grace'] = [failure(3), failure(4)];
    needs['user:default/lin'] = [failure(3), failure(4)];
    await announceEverywhere();
    await vi.waitFor(() =>
      expect([mails.length, messages.length]).toEqual([1, 1]),
    );
    expect(mails[0].subject).toBe('shop #4 failed');
    expect(messages[0].text).toContain('shop #4 failed');
    const { body } = await as(replicas[0], 'grace').get(
      '/notifications/notifications',
    );
    expect(
      body.notifications.map(
        ({
          payload,
          read,
        }: {
          payload: { title: string };
          read: string | null;
        }) => [payload.title, read !== null],
      ),
    ).toEqual([
      ['shop #4 failed', false],
      ['shop #3 failed', true],
    ]);
  });

  it('is forgotten with the namespace of its component, even if it was read and saved', async () => {
    const demo = [5, 6].map(number => ({
      ...failure(number),
      entityRef: 'component:demo/cart',
    }));
    needs['user:default/grace'] = [failure(4), ...demo];
    await announceEverywhere();
    const grace = as(replicas[0], 'grace');
    const { body } = await grace.get('/notifications/notifications');
    const [newest] = body.notifications;
    await grace
      .post('/notifications/notifications/update')
      .send({ ids: [newest.id], read: true, saved: true })
      .expect(200);
    expect(await notificationsOf('grace')).toHaveLength(4);

    needs['user:default/grace'] = [failure(4)];
    const { body: forgotten } = await as(replicas[0], 'ada')
      .delete('/inbox/namespaces/demo')
      .expect(200);
    expect(forgotten).toEqual({ items: 2, notifications: 2 });
    await announceEverywhere();
    expect(await notificationsOf('grace')).toEqual([
      'shop #4 failed',
      'shop #3 failed',
    ]);
  });

  it('is not unread anymore once the item is gone', async () => {
    const unreadOf = async () => {
      const { body } = await as(replicas[0], 'lin').get(
        '/notifications/status',
      );
      return body.unread;
    };
    expect(await unreadOf()).toBe(2);
    // The second one replaces the first, and is not about an item.
    for (const title of ['Maintenance tonight', 'Maintenance tomorrow']) {
      await request(replicas[0].server)
        .post('/api/notifications/notifications')
        .set('Authorization', mockCredentials.service.header())
        .send({
          recipients: { type: 'entity', entityRef: 'user:default/lin' },
          payload: { title, scope: 'maintenance' },
        })
        .expect(200);
    }
    expect(await unreadOf()).toBe(3);
    // An incomplete summary says nothing about the items that it omits.
    needs['user:default/lin'] = [failure(100)];
    busiest = 'user:default/lin';
    await openHome('lin');
    await openHome('lin');
    expect(await unreadOf()).toBe(3);
    busiest = undefined;
    needs['user:default/lin'] = [failure(4)];
    await openHome('lin');
    await vi.waitFor(async () => expect(await unreadOf()).toBe(2));
    // The item of the other user still exists.
    await openHome('lin');
    expect(await unreadOf()).toBe(2);
    // Someone else fixed the build: the notification is marked as read without anyone opening Home.
    needs['user:default/lin'] = [];
    await announceEverywhere();
    expect(await unreadOf()).toBe(1);
  });
});
