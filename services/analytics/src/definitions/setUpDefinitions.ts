import type { Access, ServiceKit } from '@slipway/service-kit';
import type { Projects } from '../projects/Projects.ts';
import type { ProjectStore } from '../projects/storage/ProjectStore.ts';
import type { EventStore } from '../store/EventStore.ts';
import { DAY_MS } from './Definition.ts';
import { DefinitionCounter } from './DefinitionCounter.ts';
import { Definitions } from './Definitions.ts';
import { readStored } from './readStored.ts';
import { definitionRoutes } from './routes.ts';
import { DefinitionStore } from './storage/DefinitionStore.ts';
import { ObservedNames } from './storage/ObservedNames.ts';

const PURGE_MS = 3_600_000;

/** Adds the routes of definitions, and counts events and properties in the background. */
export async function setUpDefinitions(
  kit: Pick<ServiceKit, 'app' | 'database' | 'every' | 'now'>,
  options: {
    store: EventStore;
    projects: Projects;
    listProjects: ProjectStore['list'];
    savedQueries: (projectId: string) => Promise<readonly object[]>;
    /** Days after which events are deleted, unless their project overrides it. */
    retentionDays: number | undefined;
    countSeconds: number;
    users: Access;
    readers: Access;
    admins: Access;
  },
): Promise<void> {
  const { store, projects, listProjects, savedQueries } = options;
  const { users, readers, admins } = options;
  const { app, database, now } = kit;
  const sinceOf = (days: number | undefined) =>
    days === undefined ? 0 : now() - days * DAY_MS;
  const definitions = new DefinitionStore(database);
  const observed = new ObservedNames(database);
  const counter = new DefinitionCounter({
    arrivals: {
      id: store.arrivals.id,
      last: () => store.arrivals.last(),
      count: request => store.countArrivals(request),
    },
    store: observed,
    readStored: store.arrivals.isCompleteFor(store.state().engine)
      ? undefined
      : async before => {
          // Events in a store that several journals share were counted by the first of them.
          if (await observed.isUsed()) {
            return [];
          }
          const all = [];
          for (const { id: projectId } of await listProjects()) {
            all.push(
              ...(await readStored({ projectId, before, now: now() }, plan =>
                store.query(plan, { lane: 'definitions' }),
              )),
            );
          }
          return all;
        },
    async keptSince() {
      const all = await listProjects();
      return new Map(
        all.map(project => [
          project.id,
          sinceOf(project.retentionDays ?? options.retentionDays),
        ]),
      );
    },
    now,
  });
  await counter.open();
  store.keepFor(counter);
  kit.every({
    name: 'Counting events and properties',
    everyMs: options.countSeconds * 1_000,
    work: signal => counter.count(signal),
  });
  kit.every({
    name: 'Deleting old counts of definitions',
    everyMs: PURGE_MS,
    work: () => definitions.purge(now()),
  });
  definitionRoutes(app, {
    definitions: new Definitions({
      store: definitions,
      projects,
      savedQueries,
      now,
    }),
    users,
    readers,
    admins,
  });
}
