import { type TProperties, Type } from 'typebox';
import type { Granularity } from '../periods/Period.ts';
import { PeriodAnswer, Shown, periodQuery } from '../schemas.ts';
import { DIMENSIONS, type DimensionName } from './Dimension.ts';

/** Query of the metrics routes. */
export const MetricsQuery = Type.Object({
  ...periodQuery,
  granularity: Type.Unsafe<Granularity>(
    Type.String({ enum: ['daily', 'weekly', 'monthly'], default: 'weekly' }),
  ),
});

export const DimensionParams = Type.Object({
  dimension: Type.String({ maxLength: 64 }),
});

const fields: Record<DimensionName, TProperties> = {
  satisfaction: {
    enps_score: Shown,
    avg_rating: Shown,
    response_count: Type.Integer(),
  },
  performance: {
    deployment_frequency: Shown,
    lead_time_hours: Shown,
    build_success_rate: Shown,
  },
  activity: {
    commits_per_week: Shown,
    prs_merged: Shown,
    active_days: Shown,
  },
  communication: {
    chat_messages: Shown,
    pr_comments: Shown,
    docs_updates: Shown,
  },
  efficiency: {
    time_to_first_commit_hours: Shown,
    time_to_production_hours: Shown,
    cognitive_load_index: Shown,
  },
};

/** Response of `GET /api/v1/metrics/space`. */
export const SpaceAnswer = Type.Object({
  period: PeriodAnswer,
  metrics: Type.Object(
    Object.fromEntries(
      DIMENSIONS.map(name => [name, Type.Object(fields[name])]),
    ),
  ),
});

/** Response of `GET /api/v1/metrics/space/{dimension}`: its fields are in `data`. */
export const DimensionAnswer = Type.Object({
  dimension: Type.String({ enum: [...DIMENSIONS] }),
  team: Type.String(),
  period: PeriodAnswer,
  data: Type.Object(
    {
      trend: Type.String({ enum: ['improving', 'stable', 'declining'] }),
      series: Type.Array(
        Type.Object(
          {
            start: Type.String({ format: 'date' }),
            end: Type.String({ format: 'date' }),
            samples: Type.Record(Type.String(), Type.Number()),
          },
          { additionalProperties: true },
        ),
      ),
      samples: Type.Record(Type.String(), Type.Number()),
      suppressed: Type.Boolean({
        description:
          'Whether some values are hidden because too few people are behind them.',
      }),
      minimum_group_size: Type.Integer(),
      weeks: Type.Object(
        { current: Type.Number(), previous: Type.Number() },
        {
          description:
            'The weeks that totals cover, in the period and in the preceding one: compare totals per week.',
        },
      ),
      stale: Type.Optional(
        Type.Boolean({ description: 'The delivery lake is not responding.' }),
      ),
    },
    { additionalProperties: true },
  ),
});

/** Response of `GET /api/v1/teams`. */
export const TeamsAnswer = Type.Object({
  teams: Type.Array(Type.Object({ name: Type.String() })),
});
