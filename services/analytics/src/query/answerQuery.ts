import { leavesOutTestAccounts } from '../cohorts/Cohort.ts';
import type { NamedCohorts } from '../cohorts/NamedCohorts.ts';
import type { Project } from '../projects/Project.ts';
import type { Requester } from '../store/process/QueryQueue.ts';
import type { Answers } from './Answers.ts';
import { assertHidesPeople, withoutPeople } from './hidePeople.ts';
import { answerInsight, selectPeople } from './insights/answerInsight.ts';
import { EVERYTHING, type Selection } from './language/buildSelect.ts';
import { zoneOf } from './language/coerce.ts';
import {
  type Cell,
  type Expression,
  kindOf,
  type PlanRows,
} from './language/Expression.ts';
import { planEventsQuery, type TablePlan } from './planEventsQuery.ts';
import { planHogqlQuery } from './planHogqlQuery.ts';
import type { Profiles, QueryContext } from './QueryContext.ts';
import type { InsightAnswer, Query, QueryAnswer } from './schemas.ts';
import { isoIn, isTime } from './time/zones.ts';

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
    people: async most => selectPeople(query, await open(), most),
  };
}

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
  return (await answerInsight(query, context)) ?? answerTable(query, context);
}

async function answerTable(
  query: Query,
  context: QueryContext,
): Promise<QueryAnswer> {
  const { calendar, hidesPeople, ask } = context;
  const isHogql = query.kind === 'HogQLQuery';
  const plan = (isHogql ? planHogqlQuery : planEventsQuery)(query, context);
  if (hidesPeople) {
    assertHidesPeople(plan.select, plan.selections);
  }
  const answer = presentRows(plan, await ask(plan, query), {
    zone: calendar.zone,
    hidesPeople,
  });
  return isHogql
    ? {
        ...answer,
        types: answer.types.map((type, index) => [answer.columns[index], type]),
        hogql: query.query!,
      }
    : answer;
}

/** The format of cells. */
interface Presentation {
  readonly zone: string;
  readonly hidesPeople: boolean;
}

/**
 * Formats the rows of a store: times as text, JSON objects as objects, and without the
 * extra row beyond the limit.
 */
export function presentRows(
  { selections, select }: TablePlan,
  { rows }: PlanRows,
  options: Presentation,
): QueryAnswer {
  const { limit = rows.length, offset = 0 } = select;
  return {
    columns: selections.map(({ label }) => label),
    results: rows
      .slice(0, limit)
      .map(row => presentRow(row, selections, options)),
    types: selections.map(({ expression }) => typeOf(expression, options.zone)),
    hasMore: rows.length > limit,
    limit,
    offset,
  };
}

function presentRow(
  row: readonly Cell[],
  selections: readonly Selection[],
  options: Presentation,
): unknown[] {
  const { hidesPeople } = options;
  let at = 0;
  return selections.map(({ expression }) => {
    if (!expression) {
      const cells = row.slice(at, at + EVERYTHING.length);
      at += EVERYTHING.length;
      const event = presentEvent(cells, options);
      return hidesPeople ? withoutPerson(event) : event;
    }
    const cell = presentCell(expression, row[at], options.zone);
    at += 1;
    return hidesPeople && kindOf(expression) === 'json'
      ? withoutPeople(cell as Record<string, unknown>)
      : cell;
  });
}

function presentEvent(
  cells: readonly Cell[],
  { zone }: Presentation,
): Record<string, unknown> {
  return Object.fromEntries(
    EVERYTHING.map((expression, index) => [
      expression.kind === 'column' ? expression.name : '',
      presentCell(expression, cells[index], zone),
    ]),
  );
}

function withoutPerson(
  event: Record<string, unknown>,
): Record<string, unknown> {
  return {
    ...event,
    distinct_id: null,
    properties: withoutPeople(event.properties as Record<string, unknown>),
  };
}

function presentCell(
  expression: Expression,
  cell: Cell | undefined,
  zone: string,
): unknown {
  if (cell === null || cell === undefined) {
    return null;
  }
  switch (kindOf(expression)) {
    case 'json':
      return JSON.parse(String(cell));
    case 'texts':
    case 'numbers':
      return typeof cell === 'string' ? JSON.parse(cell) : cell;
    case 'time':
      return isTime(Number(cell))
        ? isoIn(zoneOf(expression) ?? zone, Number(cell))
        : null;
    case 'date':
      return isTime(Number(cell))
        ? new Date(Number(cell)).toISOString().slice(0, 10)
        : null;
    case 'boolean':
      return Number(cell) !== 0;
    default:
      return cell;
  }
}

function typeOf(expression: Expression | undefined, zone: string): string {
  if (!expression) {
    return 'JSON';
  }
  const isCount =
    expression.kind === 'aggregate' &&
    (expression.function === 'count' ||
      expression.function === 'countDistinct');
  if (isCount) {
    return 'UInt64';
  }
  const type = {
    text: 'String',
    number: 'Float64',
    boolean: 'Bool',
    json: 'JSON',
    texts: 'Array(String)',
    numbers: 'Array(Float64)',
    null: 'Nothing',
    time: `DateTime64(3, '${zoneOf(expression) ?? zone}')`,
    date: 'Date',
  }[kindOf(expression)];
  const isKnown =
    expression.kind === 'column' ||
    ['json', 'texts', 'numbers'].includes(kindOf(expression)) ||
    (expression.kind === 'call' &&
      ['startOf', 'dateOf', 'inZone'].includes(expression.function));
  if (expression.kind === 'column' && expression.name === 'uuid') {
    return 'UUID';
  }
  return isKnown ? type : `Nullable(${type})`;
}
