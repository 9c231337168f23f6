import type { Database } from '@slipway/service-kit';
import type { Knex } from 'knex';

/** A period, cut into equal parts. Times are milliseconds since the Unix epoch. */
export interface UsageSpan {
  from: number;
  /** Exclusive. */
  to: number;
  partMs: number;
  now: number;
}

/** The load caused by builds. */
export interface Load {
  builds: number;
  /** Milliseconds that they ran, excluding the time in which they waited for a person. */
  runMs: number;
  /** Builds that succeeded, were unstable or failed; aborted and running ones are not counted. */
  judged: number;
  succeeded: number;
}

/** Milliseconds that builds waited to start. */
export interface Waits {
  p50: number;
  p95: number;
}

interface LoadRow {
  builds: number | string;
  run_ms: number | string | null;
  judged: number | string | null;
  succeeded: number | string | null;
}

/** Reads the load and the waiting times of the builds that started in a period. */
export class UsageStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Reads the load of each part of the period, by the index of the part. */
  async byPart(span: UsageSpan): Promise<Map<number, Load>> {
    const rows: ({ part: number | string } & LoadRow)[] = await this.#load(span)
      .groupBy('part')
      .select('part');
    return new Map(rows.map(row => [Number(row.part), toLoad(row)]));
  }

  /** Reads the load by job; branches and pull requests have their own. */
  async byJob(span: UsageSpan): Promise<Map<string, Load>> {
    const rows: ({ job: string } & LoadRow)[] = await this.#load(span)
      .groupBy('job')
      .select('job');
    return new Map(rows.map(row => [row.job, toLoad(row)]));
  }

  /**
   * Reads how long builds waited, by part of the period.
   *
   * @param span.partMs - at least the length of the period to get a single part.
   */
  async waits(span: UsageSpan): Promise<Map<number, Waits>> {
    const { knex } = this.#database;
    const ranked = knex
      .from(this.#builds(span))
      .select('part', 'wait_ms')
      .select(
        knex.raw(
          'ROW_NUMBER() OVER (PARTITION BY part ORDER BY wait_ms) AS rank',
        ),
        knex.raw('COUNT(*) OVER (PARTITION BY part) AS total'),
      );
    // The nearest-rank percentile, in integer arithmetic.
    const at = (percent: number) =>
      knex.raw(
        `MIN(CASE WHEN rank * 100 >= total * ${percent} THEN wait_ms END) AS p${percent}`,
      );
    const rows: Record<'part' | 'p50' | 'p95', number | string>[] = await knex
      .from(ranked.as('ranked'))
      .groupBy('part')
      .select('part', at(50), at(95));
    return new Map(
      rows.map(({ part, p50, p95 }) => [
        Number(part),
        { p50: Number(p50), p95: Number(p95) },
      ]),
    );
  }

  #load(span: UsageSpan): Knex.QueryBuilder {
    const { knex } = this.#database;
    const count = (results: string) =>
      `SUM(CASE WHEN result IN (${results}) THEN 1 ELSE 0 END)`;
    return knex
      .from(this.#builds(span))
      .count({ builds: '*' })
      .select(
        knex.raw('SUM(CASE WHEN run_ms > 0 THEN run_ms ELSE 0 END) AS run_ms'),
        knex.raw(`${count("'SUCCESS', 'UNSTABLE', 'FAILURE'")} AS judged`),
        knex.raw(`${count("'SUCCESS'")} AS succeeded`),
      );
  }

  /** Selects the builds of a period with their part, run time and wait. */
  #builds({ from, to, partMs, now }: UsageSpan): Knex.Raw {
    // Without the cast, SQLite would use floating-point division.
    return this.#database.knex.raw(
      `(SELECT job, result,
          CAST((started_at - CAST(? AS BIGINT)) / CAST(? AS BIGINT) AS BIGINT) AS part,
          COALESCE(finished_at, CAST(? AS BIGINT)) - started_at - (
            SELECT COALESCE(SUM(COALESCE(decided_at, finished_at, CAST(? AS BIGINT)) - opened_at), 0)
            FROM build_gates WHERE build_id = builds.id
          ) AS run_ms,
          CASE WHEN started_at > due_at THEN started_at - due_at ELSE 0 END AS wait_ms
        FROM builds WHERE started_at >= ? AND started_at < ?) AS started`,
      [from, partMs, now, now, from, to],
    );
  }
}

function toLoad(row: LoadRow): Load {
  return {
    builds: Number(row.builds),
    runMs: Number(row.run_ms),
    judged: Number(row.judged),
    succeeded: Number(row.succeeded),
  };
}
