import { isoOf } from '@slipway/entity-contract';
import type { ServiceApp } from '@slipway/service-kit';
import { Type } from 'typebox';
import type { FeedbackAccess } from '../access.ts';
import { PeriodEnd, readWholeSpan } from '../periods/TimeSpan.ts';
import type { Statistics } from './Statistics.ts';

const Counts = Type.Record(Type.String(), Type.Integer());

const StatisticsAnswer = Type.Object({
  period: Type.Object({
    start: Type.String({ format: 'date-time' }),
    end: Type.String({ format: 'date-time' }),
  }),
  total_feedback: Type.Integer(),
  by_rating: Counts,
  by_category: Counts,
  by_status: Counts,
  by_sentiment: Counts,
  avg_rating: Type.Number({ description: '0 without ratings.' }),
  response_rate: Type.Number({
    description: 'Share of entries that are no longer new, 0 to 1.',
  }),
});

/** Serves the statistics. */
export function statisticsRoutes(
  app: ServiceApp,
  options: {
    access: FeedbackAccess;
    statistics: Statistics;
    now: () => number;
  },
): void {
  const { access, statistics, now } = options;
  app.get(
    '/api/v1/feedback/stats',
    {
      config: { access: access.read },
      schema: {
        tags: ['statistics'],
        summary: 'Count the feedback of a period',
        querystring: Type.Object({
          start_date: Type.Optional(PeriodEnd),
          end_date: Type.Optional(PeriodEnd),
        }),
        response: { 200: StatisticsAnswer },
      },
    },
    async ({ query }) => {
      const span = readWholeSpan(query, now());
      const found = await statistics.of(span);
      return {
        period: { start: isoOf(span.start), end: isoOf(span.end - 1) },
        total_feedback: found.total,
        by_rating: found.byRating,
        by_category: found.byCategory,
        by_status: found.byStatus,
        by_sentiment: found.bySentiment,
        avg_rating: found.averageRating,
        response_rate: found.responseRate,
      };
    },
  );
}
