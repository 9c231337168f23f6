import {
  type Access,
  NotFoundError,
  type ServiceApp,
} from '@slipway/service-kit';
import type { FastifyReply } from 'fastify';
import { readTeamQuery } from '../people/team.ts';
import { readPeriod } from '../periods/Period.ts';
import { DIMENSIONS, type DimensionName } from './Dimension.ts';
import type { Numbers } from './Numbers.ts';
import type { ReportCache } from './ReportCache.ts';
import type { SpaceMetrics } from './SpaceMetrics.ts';
import {
  DimensionAnswer,
  DimensionParams,
  MetricsQuery,
  SpaceAnswer,
  TeamsAnswer,
} from './schemas.ts';

/** Adds the routes that read the five dimensions. */
export function metricsRoutes(
  app: ServiceApp,
  options: {
    access: Access;
    metrics: SpaceMetrics;
    numbers: Numbers;
    cache: ReportCache;
    timeZone: string;
    now: () => Date;
  },
): void {
  const { access, metrics, numbers, cache, timeZone, now } = options;

  app.get(
    '/api/v1/metrics/space',
    {
      config: { access },
      schema: {
        tags: ['metrics'],
        summary: 'Get all five dimensions',
        querystring: MetricsQuery,
        response: { 200: SpaceAnswer },
      },
    },
    async ({ query }, reply) => {
      const period = readPeriod(query, { now: now(), timeZone });
      const team = readTeamQuery(query.team);
      const key = JSON.stringify([team, period.start, period.end]);
      return sendCached(reply as FastifyReply, {
        cache,
        key,
        work: () => metrics.report({ team, period }),
      });
    },
  );

  app.get(
    '/api/v1/metrics/space/:dimension',
    {
      config: { access },
      schema: {
        tags: ['metrics'],
        summary: 'Get one dimension with its trend and series',
        params: DimensionParams,
        querystring: MetricsQuery,
        response: { 200: DimensionAnswer },
      },
    },
    async ({ params, query }, reply) => {
      const period = readPeriod(query, { now: now(), timeZone });
      const { dimension } = params;
      if (!isDimension(dimension)) {
        throw new NotFoundError(`Dimension '${dimension}' not found`);
      }
      const team = readTeamQuery(query.team);
      const { granularity, team: askedTeam } = query;
      const { start, end } = period;
      const key = JSON.stringify([
        dimension,
        team,
        askedTeam,
        start,
        end,
        granularity,
      ]);
      const asked = { team, askedTeam, period, granularity };
      return sendCached(reply as FastifyReply, {
        cache,
        key,
        work: () => metrics.dimension(dimension, asked),
      });
    },
  );

  app.get(
    '/api/v1/teams',
    {
      config: { access },
      schema: {
        tags: ['metrics'],
        summary: 'List the teams with data',
        response: { 200: TeamsAnswer },
      },
    },
    async () => {
      const teams = await numbers.teams();
      return { teams: teams.map(name => ({ name })) };
    },
  );
}

/** Sends the cached response, or computes it according to the route's schema. */
async function sendCached(
  reply: FastifyReply,
  options: { cache: ReportCache; key: string; work: () => Promise<object> },
): Promise<FastifyReply> {
  const { cache, key, work } = options;
  const text = await cache.get(key, async () =>
    String(reply.serializeInput({ ...(await work()) }, '200')),
  );
  return reply.type('application/json; charset=utf-8').send(text);
}

function isDimension(name: string): name is DimensionName {
  return DIMENSIONS.some(dimension => dimension === name);
}
