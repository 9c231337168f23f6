import type { Database } from '@slipway/service-kit';
import type { Build } from '../builds/Build.ts';
import { type BuildRow, toBuild } from './BuildReader.ts';

/** What the finished builds of some jobs came to in a period. */
export interface JobFigures {
  /** Builds that succeeded, were unstable or failed; aborted ones say nothing of a job. */
  readonly judged: number;
  readonly succeeded: number;
  /** Seconds from start to end on average; undefined without any. */
  readonly averageSeconds: number | undefined;
}

/** A span of time in milliseconds since the Unix epoch: `from` belongs to it, `to` does not. */
interface Span {
  readonly from: number;
  readonly to: number;
}

/** Reads what became of several jobs at once. */
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

  /** Lists the jobs of which somebody triggered a build since a moment. */
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

  /** Lists builds that began in a period, newest first. */
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
      .whereIn('result', ['SUCCESS', 'UNSTABLE', 'FAILURE'])
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

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
