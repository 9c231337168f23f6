import { isoOf } from '@slipway/entity-contract';
import { type Access, isMemberOf, type ServiceApp } from '@slipway/service-kit';
import type { Drops } from '../capture/Drops.ts';
import type { Projects } from '../projects/Projects.ts';
import { ProjectPath } from '../projects/schemas.ts';
import type { EventStore } from '../store/EventStore.ts';
import type { IngestionCounts } from './IngestionCounts.ts';
import { IngestionBody } from './schemas.ts';
import type { UnknownRequest } from './storage/IngestionStore.ts';

/** Number of days for which dropped events are reported. */
const DROPPED_DAYS = 7;

/** Adds the route that reports how the events of a project arrive. */
export function ingestionRoutes(
  app: ServiceApp,
  options: {
    projects: Pick<Projects, 'open'>;
    counts: IngestionCounts;
    drops: Drops;
    store: Pick<EventStore, 'deferred' | 'lag'>;
    /** Maximum number of deferred events of a project. */
    deferredLimit: number;
    users: Access;
    adminGroups: readonly string[];
  },
): void {
  const { projects, counts, drops, store, deferredLimit } = options;
  app.get(
    '/api/projects/:projectId/ingestion',
    {
      config: { access: options.users },
      schema: {
        tags: ['projects'],
        summary:
          'Get the ingestion statistics of a project, including lost events',
        params: ProjectPath,
        response: { 200: IngestionBody },
      },
    },
    async ({ params, caller }) => {
      const { id } = await projects.open(caller, params.projectId);
      const { lastAt, minutes, day } = await counts.summary(id);
      const dropped = await drops.list(id, DROPPED_DAYS);
      const lag = store.lag();
      const isAdmin = await isMemberOf(caller, options.adminGroups);
      return {
        last_event_at: isoOf(lastAt),
        ...day,
        minutes: minutes.map(({ at, received }) => ({
          at: isoOf(at),
          received,
        })),
        lag: { events: lag.events, oldest_at: isoOf(lag.oldestAt) },
        deferred: store.deferred.sizeOf(id).events,
        deferred_limit: deferredLimit,
        dropped: dropped.map(each => ({
          reason: each.reason,
          events: each.events,
          last_at: isoOf(each.lastAt),
        })),
        ...(isAdmin && { unknown: bothKinds(await counts.unknown()) }),
      };
    },
  );
}

function bothKinds(requests: readonly UnknownRequest[]) {
  const listOf = (wanted: UnknownRequest['kind']) =>
    requests
      .filter(({ kind }) => kind === wanted)
      .map(({ name, requests: count, lastAt }) => ({
        name,
        requests: count,
        last_at: isoOf(lastAt),
      }));
  return { keys: listOf('key'), paths: listOf('path') };
}
