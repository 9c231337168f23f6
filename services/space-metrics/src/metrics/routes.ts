import {
  NotFoundError,
  type Access,
  type ServiceApp,
} from '@slipway/service-kit';
import { NO_TEAM, readTeamQuery } from '../people/team.ts';
import { readPeriod } from '../periods/Period.ts';
import { DIMENSIONS, type DimensionName } from './Dimension.ts';
import type { MetricsStore } from './MetricsStore.ts';
import type { Report, ReportCache } from './ReportCache.ts';
import {
  DimensionAnswer,
  DimensionParams,
  MetricsQuery,
  SpaceAnswer,
  TeamsAnswer,
} from './schemas.ts';
import type { SpaceMetrics } from './SpaceMetrics.ts';

/** Reads the five dimensions. */
export function metricsRoutes(
  app: ServiceApp,
  options: {
    access: Access;
    metrics: SpaceMetrics;
    store: MetricsStore;
    cache: ReportCache;
    timeZone: string;
    now: () => Date;
  },
): void {
  const { access, metrics, store, cache, timeZone, now } = options;

  app.get(
    '/api/v1/metrics/space',
    {
      config: { access },
      schema: {
        tags: ['metrics'],
        summary: 'All five dimensions',
        querystring: MetricsQuery,
        response: { 200: SpaceAnswer },
      },
    },
    async ({ query }, reply) => {
      const period = readPeriod(query, { now: now(), timeZone });
      const team = readTeamQuery(query.team);
      const key = JSON.stringify([team, period.start, period.end]);
      const { answer, text } = await cache.get(key, async () =>
        reportOf(await metrics.report({ team, period }), reply),
      );
      return reply.serializer(() => text).send(answer);
    },
  );

  app.get(
    '/api/v1/metrics/space/:dimension',
    {
      config: { access },
      schema: {
        tags: ['metrics'],
        summary: 'One dimension, with its trend and series',
        params: DimensionParams,
        querystring: MetricsQuery,
        response: { 200: DimensionAnswer },
      },
    },
    async ({ params, query }, reply) => {
      const period = readPeriod(query, { now: now(), timeZone });
      const { dimension } = params;
      if (!isDimension(dimension)) {
        throw new NotFoundError(`There is no dimension '${dimension}'`);
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
      const { answer, text } = await cache.get(key, async () =>
        reportOf(await metrics.dimension(dimension, asked), reply),
      );
      return reply.serializer(() => text).send(answer);
    },
  );

  app.get(
    '/api/v1/teams',
    {
      config: { access },
      schema: {
        tags: ['metrics'],
        summary: 'The teams that have data',
        response: { 200: TeamsAnswer },
      },
    },
    async () => {
      const teams = await store.teams();
      return {
        teams: teams.filter(name => name !== NO_TEAM).map(name => ({ name })),
      };
    },
  );
}

/** @param reply - of the route, which knows how its answers are written. */
function reportOf<T>(
  answer: T,
  reply: { serializeInput(input: unknown, status: '200'): unknown },
): Report<T> {
  return { answer, text: String(reply.serializeInput(answer, '200')) };
}

function isDimension(name: string): name is DimensionName {
  return DIMENSIONS.some(dimension => dimension === name);
}
