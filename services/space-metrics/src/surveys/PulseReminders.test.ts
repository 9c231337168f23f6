import {
  type Database,
  PortalClient,
  type Service,
} from '@slipway/service-kit';
import {
  openTestDatabase,
  testDatabaseClients,
} from '@slipway/service-kit/testing';
import { FakePortalApi } from '../__testUtils__/FakePortalApi.ts';
import {
  clientOf,
  startSpaceMetrics,
} from '../__testUtils__/startSpaceMetrics.ts';
import { CatalogPeopleDirectory } from '../people/CatalogPeopleDirectory.ts';
import { PersonHasher } from '../people/person.ts';
import { PortalNotifications, PulseReminders } from './PulseReminders.ts';
import {
  DatabaseReminderStore,
  DatabaseSentReminders,
} from './storage/DatabaseReminderStore.ts';
import { spaceMetrics } from '../service.ts';

const START = Date.parse('2026-11-20T12:00:00Z');
const DAY_MS = 86_400_000;
const PATH = '/api/v1/surveys/pulse/reminder';
const ADA = 'user:default/ada';
const GRACE = 'user:default/grace';

describe.each(testDatabaseClients())('reminders on %s', databaseClient => {
  const hasher = new PersonHasher({ key: 'test-hash-key' });
  let now: number;
  let portal: FakePortalApi;
  let database: Database;
  let dispose: () => Promise<void>;
  let service: Service;
  let client: ReturnType<typeof clientOf>;

  const open = (config: object = {}) =>
    startSpaceMetrics({
      database,
      now: () => now,
      config: { portal: { baseUrl: portal.baseUrl }, ...config },
    });

  /** Records people as having been in the catalog for a full interval. */
  const haveBeenSeen = (...names: string[]) =>
    new DatabaseSentReminders(database).note(
      names.map(name => hasher.hash(name)),
      START - 14 * DAY_MS,
    );

  beforeEach(async () => {
    now = START;
    portal = await FakePortalApi.start();
    portal.answerUsers(() =>
      ['ada', 'Grace'].map(name => ({ kind: 'User', metadata: { name } })),
    );
    ({ database, dispose } = await openTestDatabase(
      databaseClient,
      spaceMetrics,
    ));
    service = await open();
    client = clientOf(service);
    await haveBeenSeen('ada', 'grace');
  });

  afterEach(async () => {
    await service.stop();
    await portal.stop();
    await dispose();
  });

  function createReplica(notifications?: Pick<PortalNotifications, 'send'>) {
    const asked = new PortalClient({
      baseUrl: portal.baseUrl,
      token: 'service-token',
    });
    return new PulseReminders({
      directory: new CatalogPeopleDirectory({
        logger: { warn: vi.fn() },
        portal: asked,
        cacheSeconds: 300,
        timeZone: 'UTC',
        now: () => now,
      }),
      notifications: notifications ?? new PortalNotifications(asked),
      hasher,
      reminders: new DatabaseReminderStore(database),
      sent: new DatabaseSentReminders(database),
      cadenceDays: 14,
      now: () => now,
    });
  }

  const remind = (replica = createReplica()) =>
    replica.remind(new AbortController().signal);

  it('go to everyone who is due, once per interval', async () => {
    const replica = createReplica();
    await remind(replica);
    expect(portal.notifications.recipients).toEqual([ADA, GRACE]);
    expect(portal.notifications.sent[0].payload).toMatchObject({
      title: 'Your pulse survey is due',
      link: '/experience/pulse',
      severity: 'low',
      scope: 'space-metrics:pulse-survey',
    });
    now += 14 * DAY_MS - 1;
    await remind(replica);
    expect(portal.notifications.sent).toHaveLength(2);
    now += 1;
    await client.survey('grace', 4);
    await remind(replica);
    expect(portal.notifications.recipients).toEqual([ADA, ADA, GRACE]);
  });

  it('start an interval after a person was first seen', async () => {
    portal.answerUsers(() => [{ kind: 'User', metadata: { name: 'new' } }]);
    await remind();
    now += 14 * DAY_MS - 1;
    await remind();
    expect(portal.notifications.sent).toEqual([]);
    now += 1;
    await remind();
    expect(portal.notifications.recipients).toEqual(['user:default/new']);
  });

  it('skip people who answered, snoozed or opted out', async () => {
    await client.survey('ada', 4);
    await client.send('PUT', PATH, { user_id: 'grace', opted_out: true });
    await remind();
    expect(portal.notifications.sent).toEqual([]);

    await client.send('PUT', PATH, {
      user_id: 'grace',
      opted_out: false,
      snoozed_until: '2026-11-22T00:00:00Z',
    });
    await remind();
    expect(portal.notifications.sent).toEqual([]);
    now += 2 * DAY_MS;
    await remind();
    expect(portal.notifications.recipients).toEqual([GRACE]);
    now = START + 14 * DAY_MS;
    await remind();
    expect(portal.notifications.recipients).toEqual([ADA, GRACE]);
  });

  it('skip a person who opts out during a run', async () => {
    const reminded: string[] = [];
    const send = async (userRef: string) => {
      reminded.push(userRef);
      await client.send('PUT', PATH, { user_id: 'grace', opted_out: true });
    };
    await remind(createReplica({ send }));
    expect(reminded).toEqual([ADA]);
  });

  it('are sent once per person, with any number of replicas', async () => {
    const names = Array.from({ length: 20 }, (_, number) => `user-${number}`);
    portal.answerUsers(() =>
      names.map(name => ({ kind: 'User', metadata: { name } })),
    );
    await haveBeenSeen(...names);
    await Promise.all([1, 2, 3, 4].map(() => remind()));
    expect(portal.notifications.recipients).toEqual(
      names.map(name => `user:default/${name}`).sort(),
    );
  });

  it('are not sent again after a crash before or after sending', async () => {
    const sent = new DatabaseSentReminders(database);
    const times = { noted: START - 14 * DAY_MS, now };
    expect(await sent.claim(hasher.hash('ada'), times)).toBe(true);
    await remind();
    expect(portal.notifications.recipients).toEqual([GRACE]);
    now += 14 * DAY_MS;
    await remind();
    expect(portal.notifications.recipients).toEqual([ADA, GRACE, GRACE]);
  });

  it('are sent twice if the response is lost, and end the run', async () => {
    portal.notifications.status = 0;
    await expect(remind()).rejects.toThrow('fetch failed');
    expect(portal.notifications.recipients).toEqual([ADA, ADA]);
    // The portal keeps one of these two, because they have the same scope.
    portal.notifications.status = undefined;
    await remind();
    expect(portal.notifications.recipients).toEqual([ADA, ADA, GRACE]);
  });

  it('wait for a portal that rejects them or does not respond', async () => {
    portal.notifications.token = 'another-token';
    await expect(remind()).rejects.toThrow('answered 401');
    portal.down = true;
    await remind();
    const noted = await database.knex('pulse_reminders').pluck('reminded_at');
    expect(noted.map(Number)).toEqual([
      START - 14 * DAY_MS,
      START - 14 * DAY_MS,
    ]);
    portal.down = false;
    portal.notifications.token = 'service-token';
    await remind();
    expect(portal.notifications.recipients).toEqual([ADA, GRACE]);
  });

  it('end with the current person when the service stops', async () => {
    const stopping = new AbortController();
    stopping.abort();
    await createReplica().remind(stopping.signal);
    expect(portal.notifications.sent).toEqual([]);
  });

  it('are recorded without a name, and deleted with the person', async () => {
    await remind();
    const rows = await database.knex('pulse_reminders').orderBy('hash');
    expect(rows.map(({ hash }) => hash)).toEqual(
      [hasher.hash('ada'), hasher.hash('grace')].sort(),
    );
    expect(JSON.stringify(rows)).not.toMatch(/ada|grace/i);
    await client.send('DELETE', '/api/v1/people/ada');
    expect(await database.knex('pulse_reminders').pluck('hash')).toEqual([
      hasher.hash('grace'),
    ]);
    now += 14 * DAY_MS;
    portal.answerUsers(() => []);
    await remind();
    expect(await database.knex('pulse_reminders')).toEqual([]);
  });

  it('start with the service, if it has a token and they are not disabled', async () => {
    const silent = [
      await open(),
      await open({ portalToken: 'service-token', pulse: { notify: false } }),
    ];
    const reminding = await open({ portalToken: 'service-token' });
    await Promise.all(silent.map(one => one.start()));
    await Promise.all(silent.map(one => one.stop()));
    expect(portal.requests).toEqual([]);
    await reminding.start();
    await vi.waitFor(() => {
      expect(portal.notifications.recipients).toEqual([ADA, GRACE]);
    });
    await reminding.stop();
    await expect(open({ pulse: { notify: true } })).rejects.toThrow(
      'spaceMetrics.pulse.notify needs spaceMetrics.portalToken',
    );
  });
});
