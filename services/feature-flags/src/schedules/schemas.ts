import { Timestamp } from '@slipway/service-kit';
import { Type } from 'typebox';
import {
  type Aggregation,
  AGGREGATIONS,
  type Reaction,
  REACTIONS,
  SCHEDULE_STATES,
  type ScheduleState,
} from '../model/Schedule.ts';

const strict = { additionalProperties: false } as const;

const Percentage = Type.Integer({ minimum: 0, maximum: 100 });

/** A number of failures of a service. */
function failureLimit<const Kind extends string>(
  kind: Kind,
  description: string,
) {
  return Type.Object(
    {
      kind: Type.Literal(kind),
      service: Type.String({ minLength: 1, maxLength: 200 }),
      failures: Type.Integer({ minimum: 1, maximum: 100, description }),
    },
    strict,
  );
}

const Limit = Type.Union([
  Type.Object(
    {
      kind: Type.Literal('metric'),
      metric: Type.String({
        maxLength: 200,
        pattern: '^[A-Za-z_][A-Za-z0-9_]*$',
        patternDescription: 'must be the name of an impact metric',
      }),
      aggregation: Type.Unsafe<Aggregation>(
        Type.String({
          enum: [...AGGREGATIONS],
          description:
            'count; rate (per minute); average; p95 of a histogram; last value.',
        }),
      ),
      operator: Type.Unsafe<'>' | '<'>(Type.String({ enum: ['>', '<'] })),
      threshold: Type.Number(),
      minutes: Type.Integer({
        minimum: 1,
        maximum: 1_440,
        description:
          'How far back to look; never further than the latest step.',
      }),
    },
    strict,
  ),
  failureLimit(
    'deployments',
    'Failed deployments since the latest step, from the delivery lake.',
  ),
  failureLimit(
    'builds',
    'Failed builds since the latest step, from the build server: of the jobs that the component names, or else of the job with its name.',
  ),
]);

const Limits = Type.Array(Limit, { maxItems: 5 });

const WhenCrossed = Type.Unsafe<Reaction>(
  Type.String({
    enum: [...REACTIONS],
    description: 'pause, or off: turn the flag off and pause.',
  }),
);

/** Body of `POST …/environments/{environment}/schedules`. */
export const ScheduleBody = Type.Object(
  {
    steps: Type.Array(
      Type.Object(
        {
          at: Timestamp,
          enabled: Type.Optional(Type.Boolean()),
          percentage: Type.Optional(Percentage),
        },
        strict,
      ),
      { minItems: 1, maxItems: 50 },
    ),
    strategyId: Type.Optional(
      Type.String({
        maxLength: 100,
        description:
          'The strategy whose share is set; required if there are several.',
      }),
    ),
    limits: Type.Array(Limit, { maxItems: 5, default: [] }),
    whenCrossed: Type.Unsafe<Reaction>({ ...WhenCrossed, default: 'pause' }),
  },
  strict,
);

const Step = Type.Object({
  at: Type.String({ format: 'date-time' }),
  enabled: Type.Optional(Type.Boolean()),
  percentage: Type.Optional(Type.Integer()),
});

const plan = {
  steps: Type.Array(Step),
  strategyId: Type.Unsafe<string | null>({ type: ['string', 'null'] }),
  limits: Limits,
  whenCrossed: WhenCrossed,
};

export const PlanResponse = Type.Object(plan);

export const ScheduleResponse = Type.Object({
  id: Type.Integer(),
  featureName: Type.String(),
  environment: Type.String(),
  state: Type.Unsafe<ScheduleState>(
    Type.String({ enum: [...SCHEDULE_STATES] }),
  ),
  reason: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: 'Why it was paused or has failed.',
  }),
  nextStep: Type.Integer({
    description: 'The index of the first step that is still to come.',
  }),
  ...plan,
  createdBy: Type.String(),
  createdAt: Type.String({ format: 'date-time' }),
  updatedAt: Type.String({ format: 'date-time' }),
});

export const ScheduleList = Type.Object({
  schedules: Type.Array(ScheduleResponse),
});

export const SchedulesQuery = Type.Object({
  featureName: Type.Optional(Type.String()),
  environment: Type.Optional(Type.String()),
  state: Type.Optional(
    Type.Unsafe<'open' | 'closed'>(Type.String({ enum: ['open', 'closed'] })),
  ),
  limit: Type.Integer({ minimum: 1, maximum: 200, default: 50 }),
});

export const MetricsQuery = Type.Object({
  environment: Type.Optional(Type.String()),
});

export const MetricNames = Type.Object({
  metrics: Type.Array(
    Type.Object({ name: Type.String(), type: Type.String() }),
  ),
  watchesBuilds: Type.Boolean({
    description: 'True if limits can count failed builds.',
  }),
});
