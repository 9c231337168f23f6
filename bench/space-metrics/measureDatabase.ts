import { duration, percentile, type Row, summary } from '../runBench.ts';
import { BareProcess } from './bare/BareProcess.ts';
import type { BenchDatabase } from './BenchDatabase.ts';
import { loadRecords } from './loadRecords.ts';
import { checkAnswers } from './measures/checkAnswers.ts';
import {
  type CachedRates,
  measureCached,
  measureReads,
  measureSubmissions,
  type SubmissionRates,
} from './measures/measures.ts';
import {
  type Organisation,
  pathOf,
  type Question,
  questionsOf,
} from './Organisation.ts';
import { HASH_KEY, SpaceMetricsProcess } from './SpaceMetricsProcess.ts';

const READ_TARGET_MS = 20;
const SHARE_TARGET = 0.5;
const SUBMISSIONS_TARGET = { SQLite: 3_000, PostgreSQL: 1_500 };

/** Measurements on one database. */
interface Measurements {
  database: BenchDatabase['name'];
  questions: readonly Question[];
  /** Milliseconds, by query. */
  reads: number[][];
  /** Milliseconds of plain SQL, by query. */
  plain: number[];
  cached: CachedRates;
  submissions: SubmissionRates;
}

function rate(perSecond: number): string {
  return `${Math.round(perSecond).toLocaleString('en')}/s`;
}

/** Returns the rows of one database. */
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

/** Runs all measurements on one database. */
export async function measureDatabase(
  database: BenchDatabase,
  options: {
    /** The database of the baseline server. */
    bareDatabase: BenchDatabase;
    organisation: Organisation;
    seconds: number;
    say: (text: string) => void;
  },
): Promise<Measurements> {
  const { bareDatabase, organisation, seconds, say } = options;
  const { knex, name, section } = database;
  const questions = questionsOf(organisation);
  const bare = await BareProcess.start({
    database: bareDatabase.section,
    organisation,
  });
  const during = async <T>(
    settings: { minimumGroupSize?: number; cacheSeconds?: number },
    work: (service: SpaceMetricsProcess) => Promise<T>,
  ): Promise<T> => {
    const service = await SpaceMetricsProcess.start({
      database: section,
      portalUrl: bare.url,
      ...settings,
    });
    try {
      return await work(service);
    } finally {
      await service.stop();
    }
  };

  try {
    say(`${name}: loading ${organisation.events.toLocaleString('en')} events`);
    // Starts and stops the service, which creates the tables.
    await during({}, async () => {});
    await loadRecords(database, { organisation, hashKey: HASH_KEY, say });
    say(`${name}: holding answers against plain SQL`);
    const plain = await during({ minimumGroupSize: 1 }, service =>
      checkAnswers(service, { knex, questions }),
    );
    say(`${name}: measuring reads`);
    const reads = await during({ cacheSeconds: 0 }, async service => {
      // The first response arrives once all closed cycles are released.
      await service.get(pathOf(questions[0]));
      return measureReads(service, { questions, seconds });
    });
    say(`${name}: measuring reads from cache, then submissions`);
    return await during({}, async service => ({
      database: name,
      questions,
      reads,
      plain,
      cached: await measureCached(service, {
        bare,
        question: questions[0],
        seconds,
      }),
      submissions: await measureSubmissions(service, {
        bare,
        knex,
        organisation,
        seconds,
      }),
    }));
  } finally {
    await bare.stop();
  }
}
