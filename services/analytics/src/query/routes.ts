import { type Static, Type } from 'typebox';
import {
  type Access,
  actorOf,
  type ServiceApp,
  UnavailableError,
} from '@slipway/service-kit';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Projects } from '../projects/Projects.ts';
import { ProjectPath } from '../projects/schemas.ts';
import type { Answers } from './Answers.ts';
import { answerTrends } from './answerTrends.ts';
import { assertHidesPeople, withoutPeople } from './hidePeople.ts';
import { planEventsQuery } from './planEventsQuery.ts';
import { planTrends } from './planTrends.ts';
import {
  QueryAnswer,
  QueryRequest,
  TrendsAnswer,
  type TrendsQuery,
} from './schemas.ts';
import {
  type Cell,
  EVENT_CELLS,
  type EventsPlan,
  type Expression,
  kindOf,
  type Operand,
  type PlanRows,
} from './language/EventsPlan.ts';

const Answer = Type.Union([QueryAnswer, TrendsAnswer]);

/** Adds the routes that answer questions about events. */
export function queryRoutes(
  app: ServiceApp,
  options: {
    answers: Answers;
    projects: Projects;
    tokens: Access;
    tokensAndUsers: Access;
    now: () => number;
  },
): void {
  const { answers, projects, tokens, tokensAndUsers, now } = options;
  const tags = ['query'];
  const answer = async (
    request: FastifyRequest,
    reply: FastifyReply,
    asked: { query: Static<typeof QueryRequest>['query']; projectId: string },
  ): Promise<Static<typeof QueryAnswer | typeof TrendsAnswer>> => {
    const { caller } = request;
    const { id: projectId, hidesPeople } = await projects.open(
      caller,
      asked.projectId,
    );
    const asker = { lane: actorOf(caller), signal: signalOf(reply) };
    // The schema of an answer of either kind would be looked for anew for each cell.
    reply.type('application/json; charset=utf-8').serializer(JSON.stringify);
    const ask = (plan: EventsPlan, question: object = plan) => {
      if (hidesPeople) {
        assertHidesPeople(plan);
      }
      const key = JSON.stringify([projectId, question]);
      return answers.ask({ key, plan }, asker);
    };
    const { kind, ...fields } = asked.query;
    const from = { projectId, now: now() };
    if (kind === 'TrendsQuery') {
      const query = { kind, ...fields };
      const first = await firstOf(query, { ...from, ask });
      return answerTrends(planTrends(query, { ...from, first }), ask);
    }
    const query = { kind, ...fields };
    const plan = planEventsQuery(query, from);
    return answerOf(plan, { ...(await ask(plan, query)), hidesPeople });
  };

  app.post(
    '/api/query',
    {
      config: { access: tokens },
      schema: {
        tags,
        summary: "Query the events of the token's project",
        body: QueryRequest,
        response: { 200: Answer },
      },
    },
    async (request, reply) =>
      answer(request, reply, {
        query: request.body.query,
        projectId: '@current',
      }),
  );
  // PostHog's newer clients say environment, of which a project has one.
  for (const collection of ['projects', 'environments'] as const) {
    app.post(
      `/api/${collection}/:projectId/query`,
      {
        config: { access: tokensAndUsers },
        schema: {
          tags,
          summary: `Query the events of a project; @current is the token's`,
          params: ProjectPath,
          body: QueryRequest,
          response: { 200: Answer },
        },
      },
      async (request, reply) =>
        answer(request, reply, {
          query: request.body.query,
          projectId: request.params.projectId,
        }),
    );
  }
}

/** When the first event of a project happened, where a query asks for all of its time. */
async function firstOf(
  { dateRange }: TrendsQuery,
  options: {
    projectId: string;
    now: number;
    ask: (plan: EventsPlan) => Promise<PlanRows>;
  },
): Promise<number> {
  const { projectId, now, ask } = options;
  if (dateRange?.date_from !== 'all') {
    return now;
  }
  const { rows } = await ask(
    planEventsQuery(
      { kind: 'EventsQuery', select: ['min(timestamp)'], after: 'all' },
      { projectId, now },
    ),
  );
  return Number(rows[0]?.[0] ?? now);
}

/** Aborted when the caller is gone before the answer. */
function signalOf(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) {
      controller.abort(
        new UnavailableError('The caller does not wait for the answer'),
      );
    }
  });
  return controller.signal;
}

const columnTypes = {
  uuid: 'UUID',
  event: 'String',
  properties: 'JSON',
  timestamp: "DateTime64(3, 'UTC')",
  distinct_id: 'String',
  created_at: "DateTime64(3, 'UTC')",
} as const;

/** Presents what a store found: instants as texts, objects as objects, one row less than asked for. */
function answerOf(
  plan: EventsPlan,
  { rows, hidesPeople }: PlanRows & { hidesPeople: boolean },
): Static<typeof QueryAnswer> {
  const { select, limit, offset } = plan;
  return {
    columns: select.map(({ label }) => label),
    results: rows
      .slice(0, limit)
      .map(row => presentRow(row, { select, hidesPeople })),
    types: select.map(({ expression }) => typeOf(expression)),
    hasMore: rows.length > limit,
    limit,
    offset,
  };
}

function presentRow(
  row: readonly Cell[],
  options: Pick<EventsPlan, 'select'> & { hidesPeople: boolean },
): unknown[] {
  const { select, hidesPeople } = options;
  let at = 0;
  return select.map(({ expression }) => {
    if (expression.kind === 'everything') {
      const cells = row.slice(at, at + EVENT_CELLS.length);
      at += EVENT_CELLS.length;
      const event = presentEvent(cells);
      return hidesPeople ? withoutPerson(event) : event;
    }
    const cell = presentCell(expression, row[at]);
    at += 1;
    return hidesPeople && kindOf(expression) === 'json'
      ? withoutPeople(cell as Record<string, unknown>)
      : cell;
  });
}

function presentEvent(cells: readonly Cell[]): Record<string, unknown> {
  return Object.fromEntries(
    EVENT_CELLS.map((name, index) => [
      name,
      presentCell({ kind: 'column', name }, cells[index]),
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

function presentCell(expression: Operand, cell: Cell): unknown {
  if (cell === null) {
    return null;
  }
  switch (kindOf(expression)) {
    case 'json':
      return JSON.parse(String(cell));
    case 'time': {
      const text = new Date(Number(cell)).toISOString();
      return isDate(expression) ? text.slice(0, 10) : text;
    }
    default:
      return cell;
  }
}

function isDate(expression: Operand): boolean {
  return expression.kind === 'aggregate'
    ? expression.of !== undefined && isDate(expression.of)
    : expression.kind === 'truncated' && expression.asDate;
}

function typeOf(expression: Expression): string {
  if (expression.kind === 'everything') {
    return 'JSON';
  }
  if (expression.kind === 'column') {
    return columnTypes[expression.name];
  }
  if (
    expression.kind === 'aggregate' &&
    expression.function.startsWith('count')
  ) {
    return 'UInt64';
  }
  const type = {
    text: 'String',
    number: 'Float64',
    json: 'JSON',
    time: isDate(expression) ? 'Date' : "DateTime64(3, 'UTC')",
  }[kindOf(expression)];
  return expression.kind === 'truncated' ? type : `Nullable(${type})`;
}
