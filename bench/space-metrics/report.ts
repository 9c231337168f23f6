import { duration, percentile, summary, type Row } from '../workspaces/Row.ts';
import type { BenchDatabase } from './BenchDatabase.ts';
import type { CachedRates } from './measures/measureCached.ts';
import type { SubmissionRates } from './measures/measureSubmissions.ts';
import type { Question } from './measures/questions.ts';

const READ_TARGET_MS = 20;
const SHARE_TARGET = 0.5;
const SUBMISSIONS_TARGET = { SQLite: 3_000, PostgreSQL: 1_500 };

/** What was measured on one database. */
export interface Measurements {
  database: BenchDatabase['name'];
  questions: readonly Question[];
  /** Milliseconds, by question. */
  reads: number[][];
  /** Milliseconds of plain SQL, by question. */
  plain: number[];
  cached: CachedRates;
  submissions: SubmissionRates;
}

function rate(perSecond: number): string {
  return `${Math.round(perSecond).toLocaleString('en')}/s`;
}

/** The rows of one database. */
export function rowsOf(measurements: Measurements): Row[] {
  const { database, questions, reads, plain, cached, submissions } =
    measurements;
  const share = cached.service / cached.bare;
  const target = SUBMISSIONS_TARGET[database];
  return [
    {
      what: `${database}: surveys taken in over 32 connections, durable`,
      target: `≥ ${rate(target)}`,
      measured: `${rate(submissions.service)}, ${summary(
        submissions.latencies,
      )}`,
      beside: `one bare row each: ${rate(submissions.bare)}`,
      met: submissions.service >= target,
    },
    ...questions.map(({ what }, index) => ({
      what: `${database}: ${what}`,
      target: `p95 ≤ ${READ_TARGET_MS} ms`,
      measured: summary(reads[index]),
      beside: `plain SQL: ${duration(plain[index])}`,
      met: percentile(reads[index], 95) <= READ_TARGET_MS,
    })),
    {
      what: `${database}: ${questions[0].what}, from cache, 32 connections`,
      target: `≥ ${SHARE_TARGET * 100} % of bare`,
      measured: `${(share * 100).toFixed(0)} %, ${rate(cached.service)}`,
      beside: `bare Fastify route: ${rate(cached.bare)}`,
      met: share >= SHARE_TARGET,
    },
  ];
}
