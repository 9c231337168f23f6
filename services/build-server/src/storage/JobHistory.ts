import type { Database, Transaction } from '@slipway/service-kit';
import type { Build, BuildResult } from '../builds/Build.ts';
import { type BuildRow, toBuild } from './buildRows.ts';

/** Results that reflect the state of the code; an aborted build does not. */
const JUDGED: readonly BuildResult[] = ['SUCCESS', 'UNSTABLE', 'FAILURE'];

const ESTIMATE_BUILDS = 3;
/**
 * Number of newest builds to look at: earlier ones say little, and reading all builds of a job that
 * always fails takes long.
 */
const ESTIMATE_AMONG = 20;

/** The results of some jobs' finished builds in a period. */
export interface JobFigures {
  /** The number of builds that succeeded, were unstable or failed; aborted ones are not counted. */
  readonly judged: number;
  readonly succeeded: number;
  /** Average duration in seconds; undefined without any builds. */
  readonly averageSeconds: number | undefined;
}

/** A period in milliseconds since the Unix epoch: `from` inclusive, `to` exclusive. */
interface Span {
  readonly from: number;
  readonly to: number;
}

/** Reads the history of jobs. */
export class JobHistory {
  readonly #database: Database;

  constructor({ database }: { database: Database }) {
    this.#database = database;
  }

  /** Reads the newest finished build of each job that has one, by name of the job. */
  async newestOf(jobs: readonly string[]): Promise<Build[]> {
    const { knex } = this.#database;
    const newest = knex('builds')
      .whereIn('job', [...jobs])
      .where({ state: 'finished' })
      .whereNotNull('started_at')
      .groupBy('job')
      .max('id');
    const rows: BuildRow[] = await knex<BuildRow>('builds')
      .whereIn('id', newest)
      .orderBy('job');
    return rows.map(toBuild);
  }

  /**
   * Reads when a webhook last triggered each job, or one of its branches and pull requests, by name
   * of the job.
   */
  async lastWebhooks(): Promise<Map<string, number>> {
    const rows: { job: string; last: number | string }[] = await this.#database
      .knex('builds')
      .where({ trigger_kind: 'webhook' })
      .groupBy('job')
      .select('job')
      .max({ last: 'queued_at' });
    const lastOf = new Map<string, number>();
    for (const { job, last } of rows) {
      const [name] = job.split('/');
      lastOf.set(name, Math.max(Number(last), lastOf.get(name) ?? 0));
    }
    return lastOf;
  }

  /** Lists the jobs of which a user has triggered a build since a given time. */
  async jobsTriggeredBy(
    actor: string,
    { since, limit }: { since: number; limit: number },
  ): Promise<string[]> {
    const rows: { job: string }[] = await this.#database
      .knex('builds')
      .where({ triggered_by: actor })
      .where('queued_at', '>=', since)
      .distinct('job')
      .orderBy('job')
      .limit(limit);
    return rows.map(({ job }) => job);
  }

  /** Lists builds that started in a period, newest first. */
  async startedIn(
    jobs: readonly string[],
    { from, to, limit }: Span & { limit: number },
  ): Promise<Build[]> {
    const rows: BuildRow[] = await this.#database
      .knex<BuildRow>('builds')
      .whereIn('job', [...jobs])
      .where('started_at', '>=', from)
      .where('started_at', '<', to)
      .orderBy('started_at', 'desc')
      .limit(limit);
    return rows.map(toBuild);
  }

  /**
   * Estimates how long a build of a job takes: the average of the last three good builds among its
   * last twenty, as in Jenkins, without those that waited for a person or kept steps of an earlier
   * build.
   *
   * @returns milliseconds; undefined if there are none.
   */
  async estimateDuration(job: string): Promise<number | undefined> {
    const { knex } = this.#database;
    const last = knex('builds')
      .where({ job, state: 'finished' })
      .whereNotNull('started_at')
      .orderBy('number', 'desc')
      .limit(ESTIMATE_AMONG)
      .select('id');
    const rows: {
      started_at: number | string;
      finished_at: number | string;
    }[] = await knex('builds')
      .whereIn('id', last)
      .whereIn('result', ['SUCCESS', 'UNSTABLE'])
      .whereNull('rerun')
      .whereNotExists(
        knex('build_gates').whereRaw('build_gates.build_id = builds.id'),
      )
      .orderBy('number', 'desc')
      .limit(ESTIMATE_BUILDS)
      .select('started_at', 'finished_at');
    const spent = rows.map(
      row => Number(row.finished_at) - Number(row.started_at),
    );
    return rows.length === 0 ? undefined : Math.round(sum(spent) / rows.length);
  }

  async figures(
    jobs: readonly string[],
    { from, to }: Span,
  ): Promise<JobFigures> {
    const { knex } = this.#database;
    const rows: {
      result: string;
      builds: number | string;
      milliseconds: number | string | null;
    }[] = await knex('builds')
      .whereIn('job', [...jobs])
      .whereIn('result', [...JUDGED])
      .where('finished_at', '>=', from)
      .where('finished_at', '<', to)
      .whereNotNull('started_at')
      .groupBy('result')
      .select(
        'result',
        knex.raw('SUM(finished_at - started_at) as milliseconds'),
      )
      .count({ builds: '*' });
    const judged = sum(rows.map(({ builds }) => Number(builds)));
    const succeeded = Number(
      rows.find(({ result }) => result === 'SUCCESS')?.builds ?? 0,
    );
    const spent = sum(rows.map(({ milliseconds }) => Number(milliseconds)));
    return {
      judged,
      succeeded,
      averageSeconds: judged === 0 ? undefined : spent / judged / 1_000,
    };
  }
}

/**
 * Reads the result of the previous build of the same job, in the same transaction;
 * aborted builds are skipped.
 */
export async function resultBefore(
  trx: Transaction,
  { job, number }: Pick<Build, 'job' | 'number'>,
): Promise<BuildResult | undefined> {
  const row: { result: BuildResult } | undefined = await trx('builds')
    .where({ job, state: 'finished' })
    .where('number', '<', number)
    .whereIn('result', [...JUDGED])
    .orderBy('number', 'desc')
    .first('result');
  return row?.result;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
