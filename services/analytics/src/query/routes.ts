import type { Static } from 'typebox';
import type { Access, Caller, ServiceApp } from '@slipway/service-kit';
import type { Projects } from '../projects/Projects.ts';
import { ProjectPath } from '../projects/schemas.ts';
import { assertMayRead, projectOfToken } from '../projects/KnownCredentials.ts';
import { planEventsQuery } from './planEventsQuery.ts';
import { type EventsQuery, QueryAnswer, QueryRequest } from './schemas.ts';
import {
  type Cell,
  EVENT_CELLS,
  type EventsPlan,
  type Expression,
  kindOf,
  type Operand,
  type PlanRows,
} from './language/EventsPlan.ts';

/** Adds the routes that answer questions about events. */
export function queryRoutes(
  app: ServiceApp,
  options: {
    /** Has the store of events answer a plan. */
    ask: (plan: EventsPlan) => Promise<PlanRows>;
    projects: Projects;
    tokens: Access;
    tokensAndUsers: Access;
    now: () => number;
  },
): void {
  const { ask, projects, tokens, tokensAndUsers, now } = options;
  const tags = ['query'];
  const answer = async (
    query: EventsQuery,
    projectId: string,
  ): Promise<Static<typeof QueryAnswer>> => {
    const plan = planEventsQuery(query, { projectId, now: now() });
    return answerOf(plan, await ask(plan));
  };

  app.post(
    '/api/query',
    {
      config: { access: tokens },
      schema: {
        tags,
        summary: "Ask about the events of the token's project",
        body: QueryRequest,
        response: { 200: QueryAnswer },
      },
    },
    async ({ body, caller }) => answer(body.query, ownProject(caller)),
  );
  app.post(
    '/api/projects/:projectId/query',
    {
      config: { access: tokensAndUsers },
      schema: {
        tags,
        summary: 'Ask about the events of a project',
        params: ProjectPath,
        body: QueryRequest,
        response: { 200: QueryAnswer },
      },
    },
    async ({ params, body, caller }) => {
      assertMayRead(caller, params.projectId);
      const { id } = await projects.get(params.projectId);
      return answer(body.query, id);
    },
  );
}

function ownProject(caller: Caller): string {
  const projectId = projectOfToken(caller);
  if (projectId === undefined) {
    throw new Error('The route lets in what is no token of a project');
  }
  return projectId;
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
  { rows }: PlanRows,
): Static<typeof QueryAnswer> {
  const { select, limit, offset } = plan;
  return {
    columns: select.map(({ label }) => label),
    results: rows.slice(0, limit).map(row => presentRow(select, row)),
    types: select.map(({ expression }) => typeOf(expression)),
    hasMore: rows.length > limit,
    limit,
    offset,
  };
}

function presentRow(
  select: EventsPlan['select'],
  row: readonly Cell[],
): unknown[] {
  let at = 0;
  return select.map(({ expression }) => {
    if (expression.kind === 'everything') {
      const cells = row.slice(at, at + EVENT_CELLS.length);
      at += EVENT_CELLS.length;
      return presentEvent(cells);
    }
    const cell = row[at];
    at += 1;
    return presentCell(expression, cell);
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
