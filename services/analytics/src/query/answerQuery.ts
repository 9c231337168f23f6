import { ForbiddenError } from '@slipway/service-kit';
import { assertSmallInsight } from './language/extent.ts';
import { assertHidesPeople, assertNotPersonal } from './hidePeople.ts';
import { answerActors, listActors } from './insights/actors.ts';
import { answerFunnels } from './insights/funnels.ts';
import { answerLifecycle } from './insights/lifecycle.ts';
import { answerPaths } from './insights/paths.ts';
import { answerRetention } from './insights/retention.ts';
import { answerStickiness } from './insights/stickiness.ts';
import { answerTrends } from './insights/trends.ts';
import { answerWebOverview } from './insights/webOverview.ts';
import { planEventsQuery } from './planEventsQuery.ts';
import { planHogqlQuery } from './planHogqlQuery.ts';
import { presentRows } from './presentRows.ts';
import type { InsightAnswer, Kind, Query, QueryAnswer } from './schemas.ts';
import type { InsightContext, QueryContext } from './QueryContext.ts';

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
  const { projectId, now, calendar, hidesPeople, ask } = context;
  const { groupTypes, testAccountFilters, cohorts } = context;
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
    { projectId, now, calendar, groupTypes, testAccountFilters, cohorts },
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

/**
 * Returns the ids of all people that an ActorsQuery selects.
 * @param most - maximum number of people.
 * @throws InvalidRequestError naming the invalid field.
 */
export async function answerPeople(
  query: Query,
  context: QueryContext,
  most: number,
): Promise<string[]> {
  const { persons: profiles } = context;
  return listActors(query, insightOf(context), { profiles, most });
}

function insightOf(context: QueryContext): InsightContext {
  const { projectId, now, calendar, hidesPeople, ask } = context;
  const { groupTypes, testAccountFilters, cohorts } = context;
  return {
    projectId,
    now,
    calendar,
    groupTypes,
    testAccountFilters,
    cohorts,
    async ask(select) {
      assertSmallInsight(select);
      return ask({ projectId, select });
    },
    assertShown(expressions) {
      if (hidesPeople) {
        assertNotPersonal(expressions);
      }
    },
  };
}
