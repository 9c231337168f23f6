import type { ServiceApp } from '@slipway/service-kit';
import type { FlagAccess } from '../access.ts';
import type { FlagAdmin } from '../flags/FlagAdmin.ts';
import { FlagPath } from '../flags/schemas.ts';
import type { FlagUsage } from './FlagUsage.ts';
import { AllSeries, FlagMetrics, FlagSeries, SeriesQuery } from './schemas.ts';
import type { UsagePoint } from './UsageStore.ts';

const tags = ['usage'];

/** `/api/admin/metrics`: how much flags are used, and by whom. */
export function metricsRoutes(
  app: ServiceApp,
  options: { flags: FlagAdmin; usage: FlagUsage; access: FlagAccess },
): void {
  const { flags, usage, access } = options;
  const config = { access: access.read };

  app.get(
    '/api/admin/metrics/features/:featureName',
    {
      config,
      schema: {
        tags,
        summary: 'Usage of a flag in the last hour, and who asked for it',
        params: FlagPath,
        response: { 200: FlagMetrics },
      },
    },
    async ({ params }) => {
      const { name } = await flags.get(params.featureName);
      return {
        featureName: name,
        lastHourUsage: await usage.lastHour(name),
        seenApplications: await usage.applications(name),
      };
    },
  );

  app.get(
    '/api/admin/metrics/features/:featureName/usage',
    {
      config,
      schema: {
        tags,
        summary: 'Usage of a flag by hour or by day (UTC)',
        params: FlagPath,
        querystring: SeriesQuery,
        response: { 200: FlagSeries },
      },
    },
    async ({ params, query }) => {
      const { name } = await flags.get(params.featureName);
      const points = await usage.series(name, query);
      return {
        featureName: name,
        interval: query.interval,
        usage: points.map(present),
      };
    },
  );

  app.get(
    '/api/admin/metrics/usage',
    {
      config,
      schema: {
        tags,
        summary: 'Usage by hour or by day of every flag that has any',
        querystring: SeriesQuery,
        response: { 200: AllSeries },
      },
    },
    async ({ query }) => {
      const all = await usage.seriesOfAll(query);
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
  return { timestamp: new Date(startsAt).toISOString(), yes, no };
}
