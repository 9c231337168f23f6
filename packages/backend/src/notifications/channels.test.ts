import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import {
  coreServices,
  createBackendPlugin,
  createServiceFactory,
} from '@backstage/backend-plugin-api';
import {
  mockCredentials,
  mockServices,
  startTestBackend,
} from '@backstage/backend-test-utils';
import notificationsPlugin from '@backstage/plugin-notifications-backend';
import { catalogServiceRef } from '@backstage/plugin-catalog-node';
import { catalogServiceMock } from '@backstage/plugin-catalog-node/testUtils';
import {
  type NotificationService,
  notificationService,
} from '@backstage/plugin-notifications-node';
import { SMTPServer } from 'smtp-server';
import request from 'supertest';
import { notificationChannels } from './channels';

const GRACE = mockCredentials.user.header('user:default/grace');

const user = (name: string) => ({
  apiVersion: 'backstage.io/v1alpha1',
  kind: 'User',
  metadata: { name, namespace: 'default' },
  spec: { profile: { email: `${name}@example.org` }, memberOf: [] },
});

/** True if the mail server responds that mails must be sent later. */
let isBusy = false;
/** Number of mails that it deferred. */
let refused = 0;
/** Recipients and contents of the mails that a mail server received. */
const mails: { to: string[]; content: string }[] = [];
const mailServer = new SMTPServer({
  secure: false,
  disabledCommands: ['STARTTLS'],
  allowInsecureAuth: true,
  onAuth: ({ username, password }, _session, done) =>
    username === 'slipway' && password === 'smtp-password'
      ? done(null, { user: username })
      : done(new Error('wrong')),
  onData(stream, { envelope }, done) {
    void text(stream).then(content => {
      if (isBusy) {
        refused += 1;
        done(Object.assign(new Error('Try again'), { responseCode: 451 }));
        return;
      }
      mails.push({ to: envelope.rcptTo.map(to => to.address), content });
      done();
    });
  },
});

const scheduler = mockServices.scheduler();
let notifications: NotificationService;
let api: ReturnType<typeof request>;

beforeAll(async () => {
  const listener = mailServer.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const { port } = listener.address() as AddressInfo;
  const { server } = await startTestBackend({
    features: [
      notificationsPlugin,
      notificationChannels,
      createBackendPlugin({
        pluginId: 'inbox',
        register(env) {
          env.registerInit({
            deps: { service: notificationService },
            async init({ service }) {
              notifications = service;
            },
          });
        },
      }),
      // Runs tasks only when the test does.
      createServiceFactory({
        service: coreServices.scheduler,
        deps: {},
        factory: () => scheduler,
      }),
      createServiceFactory({
        service: catalogServiceRef,
        deps: {},
        factory: () =>
          catalogServiceMock({ entities: [user('grace'), user('ada')] }),
      }),
      mockServices.rootConfig.factory({
        data: {
          app: { baseUrl: 'https://portal.example.org' },
          backend: { baseUrl: 'http://localhost:7007' },
          notifications: {
            processors: {
              email: {
                transportConfig: {
                  transport: 'smtp',
                  hostname: '127.0.0.1',
                  port,
                  username: 'slipway',
                  password: 'smtp-password',
                },
                sender: 'slipway@example.org',
                throttleInterval: { milliseconds: 1 },
              },
            },
            defaultSettings: { channels: [{ id: 'Email', enabled: false }] },
          },
        },
      }),
    ],
  });
  api = request(server);
});

afterAll(async () => {
  await new Promise<void>(resolve => {
    mailServer.close(resolve);
  });
});

const send = (name: string, topic: string, title: string) =>
  notifications.send({
    recipients: { type: 'entity', entityRef: `user:default/${name}` },
    payload: {
      title,
      description: 'Carts are <img src=x> lost',
      link: '/builds/shop/3',
      severity: 'high',
      topic,
      scope: title,
    },
  });

it('sends mail to users who chose it, for the topics that they chose', async () => {
  const { body } = await api
    .post('/api/notifications/settings')
    .set('Authorization', GRACE)
    .send({
      channels: [
        {
          id: 'Email',
          origins: [
            {
              id: 'plugin:inbox',
              enabled: true,
              topics: [{ id: 'flag-stale', enabled: false }],
            },
          ],
        },
      ],
    })
    .expect(200);
  expect(body.channels.map(({ id }: { id: string }) => id)).toEqual([
    'Web',
    'Email',
  ]);
  await send('ada', 'build-failed', 'Not chosen by ada');
  await send('grace', 'flag-stale', 'Disabled by grace');
  await send('grace', 'build-failed', 'shop #3 failed');
  await vi.waitFor(() => expect(mails).toHaveLength(1));
  const [{ to, content }] = mails;
  expect(to).toEqual(['grace@example.org']);
  expect(content).toContain('From: slipway@example.org');
  expect(content).toContain('Subject: shop #3 failed');
  expect(content).toContain('https://portal.example.org/builds/shop/3');
  expect(content).toContain('&lt;img');
  const listed = await api
    .get('/api/notifications/notifications')
    .set('Authorization', GRACE);
  expect(listed.body.totalCount).toBe(2);
});

/** Runs the task that resends mails, a minute later. */
async function aMinuteLater() {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 });
  try {
    await scheduler.triggerTask('send-mails');
  } finally {
    vi.useRealTimers();
  }
}

it('sends no mail about what was read while the mail server was down', async () => {
  mails.length = 0;
  refused = 0;
  isBusy = true;
  await send('grace', 'build-failed', 'shop #5 failed');
  await vi.waitFor(() => expect(refused).toBe(1));
  await send('grace', 'build-failed', 'shop #6 failed');
  const { body } = await api
    .get('/api/notifications/notifications?search=shop%20%235')
    .set('Authorization', GRACE);
  await api
    .post('/api/notifications/notifications/update')
    .set('Authorization', GRACE)
    .send({ ids: [body.notifications[0].id], read: true })
    .expect(200);

  isBusy = false;
  await aMinuteLater();
  await vi.waitFor(() => expect(mails).toHaveLength(1));
  expect(mails[0].content).toContain('Subject: shop #6 failed');
});

it('sends a mail that the mail server did not accept when it does, once', async () => {
  mails.length = 0;
  refused = 0;
  isBusy = true;
  await send('grace', 'build-failed', 'shop #4 failed');
  await vi.waitFor(() => expect(refused).toBe(1));
  await scheduler.triggerTask('send-mails');

  isBusy = false;
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 });
  try {
    await scheduler.triggerTask('send-mails');
    await scheduler.triggerTask('send-mails');
  } finally {
    vi.useRealTimers();
  }
  expect(refused).toBe(1);
  expect(mails.map(({ to }) => to)).toEqual([['grace@example.org']]);
  expect(mails[0].content).toContain('Subject: shop #4 failed');
});
