import { Type } from 'typebox';
import type { Interval } from './FlagUsage.ts';

const Tally = { yes: Type.Integer(), no: Type.Integer() };

/** Response of `GET /api/admin/metrics/features/{name}`. */
export const FlagMetrics = Type.Object({
  featureName: Type.String(),
  lastHourUsage: Type.Object(Tally),
  seenApplications: Type.Array(Type.String()),
});

const environment = Type.Optional(
  Type.String({
    maxLength: 100,
    description:
      '`*`: the sum of all environments. Default: the environment of the service.',
  }),
);

export const MetricsQuery = Type.Object({ environment });

/** The requested bars of a chart. */
export const SeriesQuery = Type.Object({
  environment,
  interval: Type.Unsafe<Interval>(
    Type.String({ enum: ['hour', 'day'], default: 'hour' }),
  ),
  count: Type.Integer({ minimum: 1, maximum: 168, default: 24 }),
});

const Points = Type.Array(
  Type.Object({ timestamp: Type.String({ format: 'date-time' }), ...Tally }),
);

export const FlagSeries = Type.Object({
  featureName: Type.String(),
  interval: Type.String(),
  usage: Points,
});

export const AllSeries = Type.Object({
  interval: Type.String(),
  features: Type.Array(
    Type.Object({ featureName: Type.String(), usage: Points }),
  ),
});

export const ApplicationsQuery = Type.Object({
  hours: Type.Integer({ minimum: 1, maximum: 720, default: 24 }),
});

/** Response of `GET /api/admin/metrics/features/{name}/applications`. */
export const FlagApplications = Type.Object({
  applications: Type.Array(
    Type.Object({
      appName: Type.String(),
      environment: Type.String(),
      ...Tally,
      variants: Type.Record(Type.String(), Type.Integer()),
      lastHour: Type.String({
        format: 'date-time',
        description: 'The hour of the latest evaluation.',
      }),
    }),
  ),
});
