import { type TSchema, Type } from 'typebox';
import { enumOf } from './insightSchemas.ts';

/** The status of a person within an interval of a lifecycle, in PostHog's order. */
export const LIFECYCLE_STATUSES = [
  'new',
  'returning',
  'resurrecting',
  'dormant',
] as const;
export type LifecycleStatus = (typeof LIFECYCLE_STATUSES)[number];

/** The kinds of sources that select a number of an insight. */
export const ACTORS_KINDS = [
  'FunnelsActorsQuery',
  'InsightActorsQuery',
  'StickinessActorsQuery',
] as const;

/**
 * The value of a breakdown as in results: that of one property, those of several, or the id
 * of a cohort.
 */
const Breakdown = Type.Optional(
  Type.Unsafe<string | number | string[]>({
    anyOf: [
      { type: 'string', maxLength: 10_000 },
      { type: 'integer', minimum: 0 },
      {
        type: 'array',
        items: { type: 'string', maxLength: 10_000 },
        minItems: 1,
        maxItems: 3,
      },
    ],
    description: 'breakdown_value of the result',
  }),
);

/**
 * Returns the schema that selects a number of an insight: the insight's query, and which of
 * its numbers. Fields are named as in PostHog.
 */
export const actorsSource = <T extends TSchema>(insight: T) =>
  Type.Object(
    {
      kind: Type.Unsafe<(typeof ACTORS_KINDS)[number]>({
        enum: [...ACTORS_KINDS],
      }),
      source: insight,
      // Of trends, stickiness and lifecycles
      series: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: 19,
          description:
            'Of trends and stickiness: the index of the series; 0 when left out',
        }),
      ),
      day: Type.Optional(
        Type.Unsafe<string | number>({
          anyOf: [
            { type: 'string', maxLength: 64 },
            { type: 'integer', minimum: 0, maximum: 1_000 },
          ],
          description:
            'Of trends and lifecycles: one of days, or its index, which tells apart hours with the same name; of stickiness: the number of intervals; the whole period when left out',
        }),
      ),
      status: enumOf(LIFECYCLE_STATUSES, 'Of lifecycles: any when left out'),
      operator: enumOf(
        ['gte', 'lte', 'exact'] as const,
        'Of stickiness: how day compares; as in the result when left out',
      ),
      compare: Type.Optional(
        Type.Unsafe<'current' | 'previous'>({
          enum: ['current', 'previous'],
          description:
            'Of compared trends and stickiness: current when left out',
        }),
      ),
      breakdown: Breakdown,
      // Of funnels
      funnelStep: Type.Optional(
        Type.Integer({
          minimum: -20,
          maximum: 20,
          description:
            'Of funnels: who reached step 1, 2, …; who reached the step before, but not 2, 3, … if negative',
        }),
      ),
      funnelStepBreakdown: Breakdown,
      // Of retention
      interval: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: 1_000,
          description: 'Of retention: the index of the row, 0 for the first',
        }),
      ),
      returnInterval: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: 1_000,
          description:
            'Of retention: the index of the value in the row; 0, all of the row, when left out',
        }),
      ),
    },
    { description: 'Of an ActorsQuery: a number of an insight' },
  );
