import { z } from 'zod';

const MAX_NAME_LENGTH = 512;

/** Optional free text in a query; blank counts as missing. */
export const optionalText = z
  .string('must be given once')
  .max(MAX_NAME_LENGTH, `must have at most ${MAX_NAME_LENGTH} characters`)
  .regex(/^\P{Cc}*$/u, 'must not contain control characters')
  .transform(text => text.trim() || undefined)
  .optional();

/** The optional name of a scope; `all` means everything. */
const optionalScope = optionalText.transform(name =>
  name === 'all' ? undefined : name,
);

/** The parameters that limit a query to some services. */
export const scopeShape = {
  project: optionalScope,
  team: optionalScope,
  service: optionalText,
};

/** Unparsed dates; `parsePeriod` validates them with the zone and the current time. */
export const periodShape = {
  startDate: z.string('must be given once').optional(),
  endDate: z.string('must be given once').optional(),
};

/** Returns the schema of `limit`, the maximum number of items in a response. */
export function limitSchema(options: { default: number; max: number }) {
  const error = `must be a whole number from 1 to ${options.max}`;
  return z
    .string(error)
    .regex(/^\d{1,9}$/, error)
    .transform(Number)
    .refine(limit => limit >= 1 && limit <= options.max, error)
    .default(options.default);
}

/** An optional `true` or `false`. */
export const optionalFlag = z
  .enum(['true', 'false'], { error: 'must be true or false' })
  .transform(flag => flag === 'true')
  .optional();

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
