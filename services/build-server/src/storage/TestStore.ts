import { createHash } from 'node:crypto';
import type { Database, Transaction } from '@slipway/service-kit';
import type { Build, TestCase, TestOutcome } from '../builds/Build.ts';

/** Rows per statement; databases limit the number of variables. */
const ROWS = 100;

/** The result of a test case in one build. */
export interface TestResult extends TestCase {
  /** Identifies the test among those of its job. */
  id: string;
}

/** The result of a test in one build of a job. Times are milliseconds since the Unix epoch. */
export interface TestRun {
  job: string;
  number: number;
  outcome: TestOutcome;
  durationMs: number;
  sha: string | null;
  finishedAt: number;
}

/** A test that both passed and failed. */
export interface FlakyTest {
  id: string;
  suite: string;
  name: string;
  /** Number of commits on which it both passed and failed. */
  commits: number;
}

interface ResultRow {
  build_id: number;
  test: string;
  job: string;
  outcome: string;
  duration_ms: number;
  sha: string | null;
  finished_at: number | string;
}

/**
 * Returns the job whose test history is used: branches and pull requests share that of
 * the job of their file.
 */
export function familyOf(job: string): string {
  return job.split('/')[0];
}

/** Stores the result of each test in each build, for the test history. */
export class TestStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Stores the test cases of a build, in the transaction that ends it. */
  async record(
    trx: Transaction,
    build: Pick<Build, 'id' | 'job' | 'source' | 'finishedAt'>,
    cases: readonly TestCase[],
  ): Promise<void> {
    const job = familyOf(build.job);
    const byId = new Map(cases.map(test => [idOf(test), test]));
    const all = [...byId];
    for (let from = 0; from < all.length; from += ROWS) {
      const part = all.slice(from, from + ROWS);
      await trx('test_cases')
        .insert(
          part.map(([test, { suite, name }]) => ({ job, test, suite, name })),
        )
        .onConflict(['job', 'test'])
        .ignore();
      await trx('test_results')
        .insert(
          part.map(([test, { outcome, durationMs }]) => ({
            build_id: build.id,
            ...{ job, test, outcome },
            duration_ms: durationMs,
            sha: build.source?.after?.slice(0, 64) ?? null,
            finished_at: build.finishedAt,
          })),
        )
        .onConflict(['build_id', 'test'])
        .ignore();
    }
  }

  /** Lists the test cases of a build, failed ones first, then the slowest. */
  async listOf(buildId: number): Promise<TestResult[]> {
    const rows: (ResultRow & { suite: string; name: string })[] =
      await this.#database
        .knex('test_results as result')
        .join('test_cases as tests', join =>
          join.on('tests.job', 'result.job').andOn('tests.test', 'result.test'),
        )
        .where('result.build_id', buildId)
        .select('result.*', 'tests.suite', 'tests.name');
    const rank = ['failed', 'flaky', 'passed', 'skipped'];
    return rows
      .map(row => ({
        id: row.test,
        suite: row.suite,
        name: row.name,
        outcome: row.outcome as TestOutcome,
        durationMs: row.duration_ms,
      }))
      .sort(
        (one, other) =>
          rank.indexOf(one.outcome) - rank.indexOf(other.outcome) ||
          other.durationMs - one.durationMs ||
          one.name.localeCompare(other.name),
      );
  }

  /** Reads the results of a test in the newest builds of a job and its branches, newest first. */
  async historyOf(
    job: string,
    test: string,
    limit: number,
  ): Promise<{ suite: string; name: string; runs: TestRun[] } | undefined> {
    const { knex } = this.#database;
    const found: { suite: string; name: string } | undefined = await knex(
      'test_cases',
    )
      .where({ job: familyOf(job), test })
      .first('suite', 'name');
    if (!found) {
      return undefined;
    }
    const rows: (ResultRow & { build_job: string; number: number })[] =
      await knex('test_results as result')
        .join('builds', 'builds.id', 'result.build_id')
        .where({ 'result.job': familyOf(job), 'result.test': test })
        .orderBy('result.build_id', 'desc')
        .limit(limit)
        .select('result.*', 'builds.job as build_job', 'builds.number');
    return {
      ...found,
      runs: rows.map(row => ({
        job: row.build_job,
        number: row.number,
        outcome: row.outcome as TestOutcome,
        durationMs: row.duration_ms,
        sha: row.sha,
        finishedAt: Number(row.finished_at),
      })),
    };
  }

  /** Lists the tests of a job that both passed and failed on one commit since a given time, worst first. */
  async listFlaky(
    job: string,
    { since, limit }: { since: number; limit: number },
  ): Promise<FlakyTest[]> {
    const { knex } = this.#database;
    const count = (outcome: TestOutcome) =>
      knex.raw(`SUM(CASE WHEN outcome = '${outcome}' THEN 1 ELSE 0 END)`);
    const rows: { test: string }[] = await knex('test_results')
      .where({ job: familyOf(job) })
      .where('finished_at', '>=', since)
      .whereNotNull('sha')
      .groupBy('test', 'sha')
      .havingRaw('? > 0 OR (? > 0 AND ? > 0)', [
        count('flaky'),
        count('failed'),
        count('passed'),
      ])
      .select('test');
    const commits = new Map<string, number>();
    for (const { test } of rows) {
      commits.set(test, (commits.get(test) ?? 0) + 1);
    }
    const worst = [...commits]
      .sort(([, one], [, other]) => other - one)
      .slice(0, limit);
    if (worst.length === 0) {
      return [];
    }
    const names: { test: string; suite: string; name: string }[] = await knex(
      'test_cases',
    )
      .where({ job: familyOf(job) })
      .whereIn(
        'test',
        worst.map(([test]) => test),
      );
    return worst.flatMap(([id, of]) => {
      const found = names.find(({ test }) => test === id);
      return found
        ? [{ id, suite: found.suite, name: found.name, commits: of }]
        : [];
    });
  }

  /**
   * Counts the builds since a given time in which tests failed.
   *
   * @returns the counts by id of the test; a test without failures is omitted.
   */
  async countFailures(
    job: string,
    tests: readonly string[],
    since: number,
  ): Promise<Map<string, number>> {
    const rows: { test: string; failures: number | string }[] =
      await this.#database
        .knex('test_results')
        .where({ job: familyOf(job), outcome: 'failed' })
        .where('finished_at', '>=', since)
        .whereIn('test', [...tests])
        .groupBy('test')
        .select('test')
        .count({ failures: '*' });
    return new Map(rows.map(({ test, failures }) => [test, Number(failures)]));
  }

  /** Reads the test outcomes of the previous build of a job. @returns outcomes by id of the test. */
  async outcomesBefore(
    job: string,
    { id }: Pick<Build, 'id'>,
    tests: readonly string[],
  ): Promise<Map<string, TestOutcome>> {
    const { knex } = this.#database;
    const [before]: { id: number | null }[] = await knex('builds')
      .where({ job })
      .where('id', '<', id)
      .whereIn(
        'id',
        knex('test_results')
          .distinct('build_id')
          .where({ job: familyOf(job) }),
      )
      .max({ id: 'id' });
    if (before.id === null) {
      return new Map();
    }
    const rows: { test: string; outcome: string }[] = await knex('test_results')
      .where({ build_id: before.id })
      .whereIn('test', [...tests])
      .select('test', 'outcome');
    return new Map(
      rows.map(({ test, outcome }) => [test, outcome as TestOutcome]),
    );
  }
}

function idOf({ suite, name }: TestCase): string {
  return createHash('sha256')
    .update(`${suite}\0${name}`)
    .digest('hex')
    .slice(0, 32);
}
