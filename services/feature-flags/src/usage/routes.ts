import { isoOf } from '@slipway/entity-contract';
import type { ServiceApp } from '@slipway/service-kit';
import type { FlagAccess } from '../tokens/access.ts';
import type { FlagAdmin } from '../flags/FlagAdmin.ts';
import { FlagPath } from '../flags/schemas.ts';
import type { FlagUsage } from './FlagUsage.ts';
import {
  AllSeries,
  ApplicationsQuery,
  FlagApplications,
  FlagMetrics,
  FlagSeries,
  MetricsQuery,
  SeriesQuery,
} from './schemas.ts';
import type { UsagePoint } from '../storage/UsageStore.ts';

const tags = ['usage'];
/** Means all environments, as in tokens. */
const ALL = '*';

/** Adds `/api/admin/metrics`: how often flags are evaluated, and by which applications. */
export function metricsRoutes(
  app: ServiceApp,
  options: {
    flags: FlagAdmin;
    usage: FlagUsage;
    /** The default environment of queries. */
    environment: string;
    access: FlagAccess;
  },
): void {
  const { flags, usage, environment: own, access } = options;
  const config = { access: access.read };
  const placeOf = (environment = own) =>
    environment === ALL ? undefined : environment;

  app.get(
    '/api/admin/metrics/features/:featureName',
    {
      config,
      schema: {
        tags,
        summary:
          'Get the usage of a flag in the last hour, and its applications',
        params: FlagPath,
        querystring: MetricsQuery,
        response: { 200: FlagMetrics },
      },
    },
    async ({ params, query }) => {
      const { name } = await flags.get(params.featureName);
      const environment = placeOf(query.environment);
      return {
        featureName: name,
        lastHourUsage: await usage.lastHour(name, environment),
        seenApplications: await usage.applications(name, environment),
      };
    },
  );

  app.get(
    '/api/admin/metrics/features/:featureName/usage',
    {
      config,
      schema: {
        tags,
        summary: 'Get the usage of a flag by hour or day (UTC)',
        params: FlagPath,
        querystring: SeriesQuery,
        response: { 200: FlagSeries },
      },
    },
    async ({ params, query }) => {
      const { name } = await flags.get(params.featureName);
      const environment = placeOf(query.environment);
      const points = await usage.series(name, { ...query, environment });
      return {
        featureName: name,
        interval: query.interval,
        usage: points.map(present),
      };
    },
  );

  app.get(
    '/api/admin/metrics/features/:featureName/applications',
    {
      config,
      schema: {
        tags,
        summary: 'Get the usage of a flag by application and environment',
        params: FlagPath,
        querystring: ApplicationsQuery,
        response: { 200: FlagApplications },
      },
    },
    async ({ params, query }) => {
      const { name } = await flags.get(params.featureName);
      const found = await usage.byApplication(name, query.hours);
      return {
        applications: found.map(({ lastHour, variants, ...each }) => ({
          ...each,
          variants: { ...variants },
          lastHour: isoOf(lastHour),
        })),
      };
    },
  );

  app.get(
    '/api/admin/metrics/usage',
    {
      config,
      schema: {
        tags,
        summary: 'Get the usage of all flags by hour or day',
        querystring: SeriesQuery,
        response: { 200: AllSeries },
      },
    },
    async ({ query }) => {
      const environment = placeOf(query.environment);
      const all = await usage.seriesOfAll({ ...query, environment });
      return {
        interval: query.interval,
        features: [...all].map(([featureName, points]) => ({
          featureName,
          usage: points.map(present),
        })),
      };
    },
  );
}

function present({ startsAt, yes, no }: UsagePoint) {
  return { timestamp: isoOf(startsAt), yes, no };
}
