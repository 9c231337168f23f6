import { ForbiddenError } from '@slipway/service-kit';
import { leavesOutTestAccounts } from '../cohorts/Cohort.ts';
import type { NamedCohorts } from '../cohorts/NamedCohorts.ts';
import type { Project } from '../projects/Project.ts';
import type { Requester } from '../store/process/QueryQueue.ts';
import type { Answers } from './Answers.ts';
import { assertHidesPeople, assertNotPersonal } from './hidePeople.ts';
import { answerActors, listActors } from './insights/actors.ts';
import { answerFunnels } from './insights/funnels.ts';
import { answerLifecycle } from './insights/lifecycle.ts';
import { answerPaths } from './insights/paths.ts';
import { answerRetention } from './insights/retention.ts';
import { answerStickiness } from './insights/stickiness.ts';
import { answerTrends } from './insights/trends.ts';
import { answerWebOverview } from './insights/webOverview.ts';
import { assertSmallInsight } from './language/extent.ts';
import { planEventsQuery } from './planEventsQuery.ts';
import { planHogqlQuery } from './planHogqlQuery.ts';
import { presentRows } from './presentRows.ts';
import type { InsightContext, Profiles, QueryContext } from './QueryContext.ts';
import type { InsightAnswer, Kind, Query, QueryAnswer } from './schemas.ts';

/** The sources that queries on any project need. */
export interface QuerySources {
  readonly answers: Answers;
  readonly persons: Profiles;
  readonly cohorts: NamedCohorts;
  /** Returns the group types of a project, by their numbers. */
  readonly groupTypes: (projectId: string) => Promise<readonly string[]>;
  readonly now: () => number;
}

/** A query whose result can be computed, or found in a cache by everything that affects it. */
interface OpenQuery {
  /** A key of the project and everything else that affects the result. */
  readonly scope: string;
  /** Computes the result; see {@link answerQuery}. */
  readonly answer: () => Promise<QueryAnswer | InsightAnswer>;
  /**
   * Returns the ids of all people that an ActorsQuery selects.
   * @param most - maximum number of people.
   * @throws InvalidRequestError naming the invalid field.
   */
  readonly people: (most: number) => Promise<string[]>;
}

/** Reads what affects the result of a query on a project; reads the rest only to compute the result. */
export async function openQuery(
  sources: QuerySources,
  asked: { project: Project; query: Query; requester: Requester },
): Promise<OpenQuery> {
  const { answers, persons, groupTypes } = sources;
  const { project, query, requester } = asked;
  const { id: projectId, hidesPeople, calendar, testAccountFilters } = project;
  const named = await sources.cohorts.find(
    projectId,
    leavesOutTestAccounts(query) ? [query, testAccountFilters] : query,
  );
  // Changing any of these changes the result of the same query.
  const scope = JSON.stringify([
    projectId,
    calendar,
    testAccountFilters,
    named.key,
  ]);
  const open = async (): Promise<QueryContext> => {
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
        answers.ask({ key: JSON.stringify([scope, source]), plan }, requester),
    };
  };
  return {
    scope,
    answer: async () => answerQuery(query, await open()),
    async people(most) {
      const context = await open();
      const { persons: profiles } = context;
      return listActors(query, insightOf(context), { profiles, most });
    },
  };
}

type Answering = (
  query: Query,
  context: InsightContext,
) => Promise<InsightAnswer>;

const INSIGHTS: Readonly<Partial<Record<Kind, Answering>>> = {
  FunnelsQuery: answerFunnels,
  LifecycleQuery: answerLifecycle,
  PathsQuery: answerPaths,
  RetentionQuery: answerRetention,
  StickinessQuery: answerStickiness,
  TrendsQuery: answerTrends,
  WebOverviewQuery: answerWebOverview,
};

/**
 * Runs a query and returns its result in PostHog's shape.
 * @throws InvalidRequestError naming the invalid field.
 * @throws ForbiddenError if the result would reveal who did something in a project that
 *   hides it.
 */
export async function answerQuery(
  query: Query,
  context: QueryContext,
): Promise<QueryAnswer | InsightAnswer> {
  const { calendar, hidesPeople, ask } = context;
  const insight = insightOf(context);
  if (query.kind === 'ActorsQuery') {
    if (hidesPeople) {
      throw new ForbiddenError('This project only counts people');
    }
    return answerActors(query, insight, context.persons);
  }
  const answerInsight = INSIGHTS[query.kind];
  if (answerInsight) {
    return answerInsight(query, insight);
  }
  const plan = (query.kind === 'HogQLQuery' ? planHogqlQuery : planEventsQuery)(
    query,
    context,
  );
  if (hidesPeople) {
    assertHidesPeople(plan.select, plan.selections);
  }
  const answer = presentRows(plan, await ask(plan, query), {
    zone: calendar.zone,
    hidesPeople,
  });
  return query.kind === 'HogQLQuery'
    ? {
        ...answer,
        types: answer.types.map((type, index) => [answer.columns[index], type]),
        hogql: query.query!,
      }
    : answer;
}

function insightOf(context: QueryContext): InsightContext {
  const { hidesPeople, persons: _persons, ask, ...scope } = context;
  return {
    ...scope,
    async ask(select) {
      assertSmallInsight(select);
      return ask({ projectId: scope.projectId, select });
    },
    assertShown(expressions) {
      if (hidesPeople) {
        assertNotPersonal(expressions);
      }
    },
  };
}
