import type { FastifyRequest } from 'fastify';

/** PostHog nodes that only describe how a query is displayed. */
const WRAPPERS: ReadonlySet<unknown> = new Set([
  'DataTableNode',
  'DataVisualizationNode',
  'InsightVizNode',
]);
const DEEPEST = 3;

/** Replaces a display node with the query in it, before the body is validated. */
export async function unwrapQuery({ body }: FastifyRequest): Promise<void> {
  if (!isObject(body)) {
    return;
  }
  for (let depth = 0; depth < DEEPEST; depth += 1) {
    const { query } = body;
    if (!isObject(query) || !WRAPPERS.has(query.kind)) {
      return;
    }
    body.query = query.source;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
