import type { Access, ServiceApp } from '@slipway/service-kit';
import type { ErasedIds } from '../people/ErasedIds.ts';
import type { Projects } from '../projects/Projects.ts';
import type { QuerySources } from '../query/answerQuery.ts';
import type { EventStore } from '../store/EventStore.ts';
import { CohortPeopleReader } from './CohortPeopleReader.ts';
import { Cohorts } from './Cohorts.ts';
import { cohortRoutes } from './routes.ts';
import type { CohortStore } from './storage/CohortStore.ts';

/** Adds the routes of cohorts. */
export function setUpCohorts(
  app: ServiceApp,
  options: {
    store: CohortStore;
    sources: QuerySources;
    projects: Projects;
    erased: ErasedIds;
    events: EventStore;
    /** Returns the saved insights of a project. */
    insights: (
      projectId: string,
    ) => Promise<readonly { name: string; content: object }[]>;
    /** Groups that may change everything. */
    adminGroups: readonly string[];
    users: Access;
    readers: Access;
  },
): void {
  const { store, sources, projects, erased, events, insights } = options;
  const { adminGroups, users, readers } = options;
  cohortRoutes(app, {
    cohorts: new Cohorts({
      store,
      projects,
      erased,
      events,
      insights,
      admins: adminGroups,
      now: sources.now,
    }),
    people: new CohortPeopleReader({ ...sources, projects }),
    users,
    readers,
  });
}
