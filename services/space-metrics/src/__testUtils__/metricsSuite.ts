import type { Service } from '@slipway/service-kit';
import { clientOf, startSpaceMetrics } from './startSpaceMetrics.ts';

/** The current time in the tests of a suite. */
export const NOW = Date.parse('2026-11-20T12:00:00Z');

/** The format of timestamps in responses. */
export const TIMESTAMP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

/** A valid submission for each path. */
export const submissions = {
  '/api/v1/surveys/pulse/submit': {
    user_id: 'ada',
    timestamp: '2026-11-20T10:00:00Z',
    responses: {
      overall_satisfaction: 4,
      productivity_this_week: 3,
      blockers: 'slow builds',
      wins: 'shipped',
    },
  },
  '/api/v1/friction-log/submit': {
    user_id: 'ada',
    timestamp: '2026-11-20T10:00:00Z',
    category: 'build',
    description: 'The build takes an hour',
    severity: 'high',
    time_lost_minutes: 45,
  },
  '/api/v1/cognitive-load/submit': {
    user_id: 'ada',
    task: 'Debug the login',
    timestamp: '2026-11-20T10:00:00Z',
    scores: {
      mental_demand: 80,
      physical_demand: 10,
      temporal_demand: 60,
      performance: 30,
      effort: 70,
      frustration: 50,
    },
  },
} as const;
export const paths = Object.keys(submissions) as (keyof typeof submissions)[];

/** Provides an empty service for each test, and functions that call it. */
export function metricsSuite() {
  let service: Service;
  let client: ReturnType<typeof clientOf>;

  beforeEach(async () => {
    service = await startSpaceMetrics({ now: () => NOW });
    client = clientOf(service);
  });

  afterEach(() => service.stop());

  return {
    get service() {
      return service;
    },
    get client() {
      return client;
    },
  };
}
