import { ForbiddenError } from '@slipway/service-kit';
import { assertNotPersonal } from '../hidePeople.ts';
import { assertSmallInsight } from '../language/extent.ts';
import type { InsightContext, QueryContext } from '../QueryContext.ts';
import type { InsightAnswer, Kind, Query, QueryAnswer } from '../schemas.ts';
import { answerActors, listActors } from './actors.ts';
import { answerByCohort } from './cohortBreakdown.ts';
import { answerFunnels } from './funnels.ts';
import { answerLifecycle } from './lifecycle.ts';
import { answerPaths } from './paths.ts';
import { answerRetention } from './retention.ts';
import { answerStickiness } from './stickiness.ts';
import { answerTrends } from './trends.ts';
import { answerWebOverview } from './webOverview.ts';

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
 * Computes an insight, or lists the people behind one of its numbers.
 * @returns undefined for kinds of queries that return a table instead.
 * @throws ForbiddenError if the project hides people and the query lists them.
 */
export async function answerInsight(
  query: Query,
  context: QueryContext,
): Promise<InsightAnswer | QueryAnswer | undefined> {
  const { hidesPeople, persons } = context;
  const insight = insightContextOf(context);
  if (query.kind === 'ActorsQuery') {
    if (hidesPeople) {
      throw new ForbiddenError('This project only counts people');
    }
    return answerActors(query, insight, persons);
  }
  const answering = INSIGHTS[query.kind];
  return answering && answerByCohort(query, insight, answering);
}

/**
 * Returns the ids of the people that an ActorsQuery selects.
 * @param most - maximum number of people.
 */
export function selectPeople(
  query: Query,
  context: QueryContext,
  most: number,
): Promise<string[]> {
  const { persons: profiles } = context;
  return listActors(query, insightContextOf(context), { profiles, most });
}

function insightContextOf(context: QueryContext): InsightContext {
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
