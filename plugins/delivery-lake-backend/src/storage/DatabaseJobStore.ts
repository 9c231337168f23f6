import { exclusiveTransaction } from '@slipway/portal-kit/database';
import type { Knex } from 'knex';
import type { BigInteger } from './BatchSql';

/**
 * `rebuild` derives everything again; `replay` interprets all stored deliveries again and
 * derives from the result; `deletion` deletes the names of a person.
 */
export type JobKind = 'replay' | 'rebuild' | 'deletion';

/** A long-running task with progress. Times are in milliseconds. */
export interface Job {
  /** `job-…`. */
  id: string;
  kind: JobKind;
  status: 'running' | 'done' | 'failed';
  /**
   * Number of units done, out of `total`; the unit depends on the kind. Both are 0 until the total
   * is known.
   */
  done: number;
  total: number;
  /** Reason for the failure. */
  error: string | null;
  startedAt: number;
  /** Time of the last heartbeat. */
  updatedAt: number;
}

/** Key of the advisory lock, unlikely to collide: "jobs" in ASCII. */
const JOBS_LOCK = 0x6a6f6273;

/** The form of an id; URLs may contain any text. */
const ID = /^[\w-]+$/;

interface JobRow {
  id: string;
  kind: string;
  status: string;
  done: BigInteger;
  total: BigInteger;
  error: string | null;
  started_at: BigInteger;
  updated_at: BigInteger;
}

function toJob(row: JobRow): Job {
  return {
    id: row.id,
    kind: row.kind as JobKind,
    status: row.status as Job['status'],
    done: Number(row.done),
    total: Number(row.total),
    error: row.error,
    startedAt: Number(row.started_at),
    updatedAt: Number(row.updated_at),
  };
}

/** Stores jobs in the plugin's database, visible to every replica. */
export class DatabaseJobStore {
  readonly #knex: Knex;

  constructor(knex: Knex) {
    this.#knex = knex;
  }

  /**
   * Adds a job unless another runs with a heartbeat at `aliveSince` or later. Of concurrent
   * calls, on any replica, exactly one succeeds.
   *
   * @param aliveSince - milliseconds.
   * @returns the job that already runs; undefined if this one was added.
   */
  async insertUnlessRunning(
    job: Job,
    aliveSince: number,
  ): Promise<Job | undefined> {
    return exclusiveTransaction(this.#knex, JOBS_LOCK, async tx => {
      const running = await tx<JobRow>('lake_jobs')
        .where({ status: 'running' })
        .where('updated_at', '>=', aliveSince)
        .first();
      if (running) {
        return toJob(running);
      }
      await tx<JobRow>('lake_jobs').insert({
        id: job.id,
        kind: job.kind,
        status: job.status,
        done: job.done,
        total: job.total,
        error: job.error,
        started_at: job.startedAt,
        updated_at: job.updatedAt,
      });
      return undefined;
    });
  }

  async get(id: string): Promise<Job | undefined> {
    // Checked first, because PostgreSQL rejects some texts.
    const row = ID.test(id)
      ? await this.#knex<JobRow>('lake_jobs').where({ id }).first()
      : undefined;
    return row && toJob(row);
  }

  async update(
    id: string,
    change: Partial<Pick<Job, 'status' | 'done' | 'total' | 'error'>> & {
      updatedAt: number;
    },
  ): Promise<void> {
    const { updatedAt, ...fields } = change;
    await this.#knex<JobRow>('lake_jobs')
      .where({ id })
      .update({ ...fields, updated_at: updatedAt });
  }
}
