/**
 * `rebuild` derives everything anew; `replay` reads anew what was received, and derives
 * what follows from it.
 */
export type JobKind = 'replay' | 'rebuild';

/** Long work that somebody asked for and follows. Times in milliseconds. */
export interface Job {
  /** `job-…`. */
  id: string;
  kind: JobKind;
  status: 'running' | 'done' | 'failed';
  /** Of `total`, in units that depend on the kind; 0 of 0 before it is known. */
  done: number;
  total: number;
  /** Why it failed. */
  error: string | null;
  startedAt: number;
  /** When it last gave a sign of life. */
  updatedAt: number;
}

/** Where jobs are remembered, for every replica to see. */
export interface JobStore {
  /**
   * Adds a job unless one runs that gave a sign of life at `aliveSince` or later;
   * of calls at the same time, on whatever replica, one adds its job.
   *
   * @param aliveSince - milliseconds.
   * @returns the job that runs instead; undefined when this one was added.
   */
  insertUnlessRunning(job: Job, aliveSince: number): Promise<Job | undefined>;
  get(id: string): Promise<Job | undefined>;
  update(
    id: string,
    change: Partial<Pick<Job, 'status' | 'done' | 'total' | 'error'>> & {
      updatedAt: number;
    },
  ): Promise<void>;
}
