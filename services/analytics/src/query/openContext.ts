import { leavesOutTestAccounts } from '../cohorts/Cohort.ts';
import type { NamedCohorts } from '../cohorts/NamedCohorts.ts';
import type { Project } from '../projects/Project.ts';
import type { Requester } from '../store/process/QueryQueue.ts';
import type { Answers } from './Answers.ts';
import type { Profiles, QueryContext } from './QueryContext.ts';

/** The sources that queries on any project need. */
export interface QuerySources {
  readonly answers: Answers;
  readonly persons: Profiles;
  readonly cohorts: NamedCohorts;
  /** Returns the group types of a project, by their numbers. */
  readonly groupTypes: (projectId: string) => Promise<readonly string[]>;
  readonly now: () => number;
}

/**
 * Prepares the context of a query on a project.
 * @returns `scope`, a key of the project and everything else that affects results; and
 *   `open`, which reads what is only needed to compute a new result.
 */
export async function openContext(
  sources: QuerySources,
  asked: { project: Project; query: object; requester: Requester },
): Promise<{ scope: string; open: () => Promise<QueryContext> }> {
  const { answers, persons, groupTypes } = sources;
  const { project, query, requester } = asked;
  const { id: projectId, hidesPeople, calendar, testAccountFilters } = project;
  const named = await sources.cohorts.find(
    projectId,
    leavesOutTestAccounts(query) ? [query, testAccountFilters] : query,
  );
  // A change of these settings changes the results of the same query.
  const scope = JSON.stringify([
    projectId,
    calendar,
    testAccountFilters,
    named.key,
  ]);
  return {
    scope,
    async open() {
      const now = sources.now();
      return {
        projectId,
        hidesPeople,
        persons,
        now,
        calendar,
        testAccountFilters,
        groupTypes: await groupTypes(projectId),
        cohorts: await named.open({ now, calendar }),
        ask: (plan, source = plan.select) =>
          answers.ask(
            { key: JSON.stringify([scope, source]), plan },
            requester,
          ),
      };
    },
  };
}
