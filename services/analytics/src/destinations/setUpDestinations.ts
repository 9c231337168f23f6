import { setTimeout as sleep } from 'node:timers/promises';
import { anyAddress, EgressRules } from '@slipway/platform-guards';
import { type Access, openCipher, type ServiceKit } from '@slipway/service-kit';
import type { ProjectConfig } from '../config.ts';
import type { Projects } from '../projects/Projects.ts';
import type { EventStore } from '../store/EventStore.ts';
import { Destinations } from './Destinations.ts';
import { ManagedDestinations } from './ManagedDestinations.ts';
import { openConfigured } from './openDestination.ts';
import { destinationRoutes } from './routes.ts';
import { DestinationStore } from './storage/DestinationStore.ts';
import { GONE_MS, JournalMarks } from './storage/JournalMarks.ts';
import { PortalDestinationStore } from './storage/PortalDestinationStore.ts';

const SEND_MS = 2_000;
/** Maximum milliseconds between the arrival of an event and its storage. */
const STORED_WITHIN_MS = 10_000;
/** Milliseconds within which other replicas usually move their events to a shared server. */
const MOVED_WITHIN_MS = 60_000;
const PUBLISH_MS = 2_000;
/** Maximum milliseconds to wait for the last move before the service stops. */
const LAST_MOVE_MS = 3_000;

/**
 * Adds the routes of destinations and the background task that sends to them.
 * @returns the destinations.
 */
export async function setUpDestinations(
  kit: Pick<
    ServiceKit,
    | 'app'
    | 'config'
    | 'database'
    | 'every'
    | 'isProduction'
    | 'logger'
    | 'now'
    | 'onStop'
  >,
  options: {
    configured: readonly ProjectConfig[];
    /** The key that encrypts secrets. */
    secretsKey: string | undefined;
    /** Directory for the generated key of a development installation. */
    directory: string;
    store: EventStore;
    projects: Projects;
    users: Access;
    admins: Access;
  },
): Promise<Destinations> {
  const { configured, store, projects, users, admins } = options;
  const { now } = kit;
  const managed = new ManagedDestinations({
    configured: configured.flatMap(({ id, destinations: of }) =>
      // The operator chose the address, so any is allowed.
      of.map(each => openConfigured(id, each, anyAddress)),
    ),
    store: new PortalDestinationStore(kit.database),
    cipher: await openCipher({
      key: options.secretsKey,
      purpose: 'slipway analytics destinations',
      dataDirectory: options.directory,
      isProduction: kit.isProduction,
    }),
    rules: new EgressRules(kit.config.egress),
    now,
  });
  const shared =
    store.state().engine === 'clickhouse'
      ? await publishMarks(kit, store)
      : undefined;
  const destinations = new Destinations({
    managed,
    store: new DestinationStore(kit.database),
    projects,
    ask: plan => store.query(plan, { lane: 'destinations' }),
    async completeUpTo(projectId) {
      const margin = shared ? MOVED_WITHIN_MS : STORED_WITHIN_MS;
      return Math.min(
        now() - margin,
        store.deferred.oldest(projectId) ?? Infinity,
        (await shared?.completeUpTo(projectId, now())) ?? Infinity,
      );
    },
    logger: kit.logger,
    now,
  });
  destinationRoutes(kit.app, {
    destinations,
    managed,
    projects,
    users,
    admins,
  });
  kit.every({
    name: 'Sending events to destinations',
    everyMs: SEND_MS,
    work: signal => destinations.send(signal),
  });
  return destinations;
}

/**
 * Regularly publishes which of this replica's events a shared server has, until the service
 * stops.
 * @returns the marks of all replicas.
 */
async function publishMarks(
  { database, every, now, onStop }: Parameters<typeof setUpDestinations>[0],
  store: EventStore,
): Promise<JournalMarks> {
  const marks = new JournalMarks({ database, journal: store.arrivals.id });
  const publish = async () => {
    const oldest = store.oldestUnmoved(now() - GONE_MS);
    const deferred = new Map(
      store.deferred
        .projects()
        .map(id => [id, store.deferred.oldest(id) ?? now()] as const),
    );
    const movedBefore = Math.min(now() - STORED_WITHIN_MS, oldest ?? Infinity);
    await marks.publish(
      oldest === undefined ? undefined : { movedBefore, deferred },
      now(),
    );
    return oldest === Infinity;
  };
  // Publish before the first event arrives: other replicas do not wait for one without a mark.
  await publish();
  every({
    name: 'Publishing which events are moved',
    everyMs: PUBLISH_MS,
    work: publish,
  });
  onStop(async () => {
    await Promise.race([
      store.moveMany(1).catch(() => undefined),
      sleep(LAST_MOVE_MS, undefined, { ref: false }),
    ]);
    if (await publish()) {
      // From now on, only projects with deferred events have to wait for this replica.
      await marks.withdraw();
    }
  });
  return marks;
}
