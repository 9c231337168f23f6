import { z } from 'zod';
import { limitSchema, periodShape, scopeShape } from '../scope/querySchemas';

/** Query of `GET /dora-metrics` and `GET /improvements`. Unknown parameters are ignored. */
export const metricsQuerySchema = z.object({ ...scopeShape, ...periodShape });

const INTERVALS = ['day', 'week', 'month'] as const;

/** Query of `GET /dora-series`. */
export const seriesQuerySchema = metricsQuerySchema.extend({
  interval: z
    .enum(INTERVALS, { error: `must be one of ${INTERVALS.join(', ')}` })
    .default('week'),
});

const PARTS = ['team', 'project', 'service'] as const;

/** Query of `GET /breakdown`. */
export const breakdownQuerySchema = metricsQuerySchema.extend({
  by: z
    .enum(PARTS, { error: `must be one of ${PARTS.join(', ')}` })
    .default('team'),
  limit: limitSchema({ default: 50, max: 200 }),
});

/** A parsed {@link metricsQuerySchema}. */
export type MetricsQuery = z.output<typeof metricsQuerySchema>;
/** A parsed {@link seriesQuerySchema}. */
export type SeriesQuery = z.output<typeof seriesQuerySchema>;
/** A parsed {@link breakdownQuerySchema}. */
export type BreakdownQuery = z.output<typeof breakdownQuerySchema>;
