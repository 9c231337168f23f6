import type { Metrics } from '@slipway/service-kit';
import { Counter, Histogram } from 'prom-client';
import type { Feedback, Source } from './feedback/Feedback.ts';
import type { Statistics } from './statistics/Statistics.ts';
import type { ScreenshotStore } from './storage/ScreenshotStore.ts';

const SOURCES: readonly Source[] = ['api', 'slack', 'mattermost', 'chat'];

/** The service's own metrics at `/metrics`, in addition to those of the kit. */
export interface FeedbackMetrics {
  submitted(feedback: Feedback): void;
  /** Counts a screenshot that was not stored because there was no space for it. */
  screenshotDropped(): void;
  /** Measures the duration of some work. */
  timed<T>(operation: string, work: () => Promise<T>): Promise<T>;
}

/** Registers the metrics required by the contract, and those of screenshots. */
export function exposeMetrics(
  metrics: Metrics,
  {
    statistics,
    screenshots,
  }: {
    statistics: Statistics;
    screenshots: ScreenshotStore;
  },
): FeedbackMetrics {
  const registers = [metrics.registry];
  const submissions = new Counter({
    name: 'feedback_submissions_total',
    help: 'Feedback received since the process started',
    labelNames: ['source'],
    registers,
  });
  SOURCES.forEach(source => submissions.inc({ source }, 0));
  const duration = new Histogram({
    name: 'feedback_processing_duration_seconds',
    help: 'Seconds to receive feedback, or to run the automation',
    labelNames: ['operation'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1, 5, 10],
    registers,
  });
  metrics.cachedGauge<'rating'>({
    name: 'feedback_by_rating',
    help: 'Stored feedback by rating, 1 to 5',
    labelNames: ['rating'],
    compute: async () =>
      Object.entries((await statistics.of()).byRating).map(
        ([rating, value]) => ({ labels: { rating }, value }),
      ),
  });
  metrics.cachedGauge<'category'>({
    name: 'feedback_by_category',
    help: 'Stored feedback by category',
    labelNames: ['category'],
    compute: async () =>
      Object.entries((await statistics.of()).byCategory).map(
        ([category, value]) => ({ labels: { category }, value }),
      ),
  });
  const dropped = new Counter({
    name: 'feedback_screenshots_dropped_total',
    help: 'Screenshots that were not stored because the quota was used up, since the process started',
    registers,
  });
  metrics.cachedGauge({
    name: 'feedback_screenshots_bytes',
    help: 'Bytes of all stored screenshots',
    compute: async () => [{ value: (await screenshots.usage()).bytes }],
  });
  return {
    submitted: ({ source }) => submissions.inc({ source }),
    screenshotDropped: () => dropped.inc(),
    async timed(operation, work) {
      const end = duration.startTimer({ operation });
      try {
        return await work();
      } finally {
        end();
      }
    },
  };
}
