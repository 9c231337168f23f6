import type { Access, ServiceKit } from '@slipway/service-kit';
import type { ProjectConfig } from '../config.ts';
import type { Projects } from '../projects/Projects.ts';
import type { EventStore } from '../store/EventStore.ts';
import type { Destination } from './Destination.ts';
import type { DestinationConfig } from './destinationConfig.ts';
import { Destinations } from './Destinations.ts';
import { destinationRoutes } from './routes.ts';
import { S3Sink } from './S3Sink.ts';
import { DestinationStore } from './storage/DestinationStore.ts';
import { WebhookSink } from './WebhookSink.ts';

const SEND_MS = 2_000;
/** The time within which an event that arrived is stored. */
const STORED_WITHIN_MS = 10_000;
/** Other replicas move their events to a shared server within this time. */
const MOVED_WITHIN_MS = 60_000;

/** Adds the routes of destinations and the background task that sends to them. */
export function setUpDestinations(
  kit: Pick<ServiceKit, 'app' | 'database' | 'every' | 'logger' | 'now'>,
  options: {
    configured: readonly ProjectConfig[];
    store: EventStore;
    projects: Projects;
    users: Access;
  },
): void {
  const { configured, store, projects, users } = options;
  const { now } = kit;
  const destinations = new Destinations({
    destinations: configured.flatMap(({ id, destinations: of }) =>
      of.map(each => toDestination(id, each)),
    ),
    store: new DestinationStore(kit.database),
    projects,
    ask: plan => store.query(plan, { lane: 'destinations' }),
    completeUpTo(projectId) {
      const margin =
        store.state().engine === 'clickhouse'
          ? MOVED_WITHIN_MS
          : STORED_WITHIN_MS;
      return Math.min(
        now() - margin,
        store.oldestDeferredOf(projectId) ?? Infinity,
      );
    },
    logger: kit.logger,
    now,
  });
  destinationRoutes(kit.app, { destinations, projects, users });
  if (destinations.isUsed) {
    kit.every({
      name: 'Sending events to destinations',
      everyMs: SEND_MS,
      work: signal => destinations.send(signal),
    });
  }
}

function toDestination(
  projectId: string,
  config: DestinationConfig,
): Destination {
  const { id, kind, events } = config;
  const common = { projectId, id, kind, ...(events && { events }) };
  return config.kind === 'webhook'
    ? {
        ...common,
        address: new URL(config.url).origin,
        sink: new WebhookSink(config),
      }
    : {
        ...common,
        address: `${new URL(config.endpoint).origin}/${config.bucket}`,
        sink: new S3Sink(config),
      };
}
