export type JobKind = 'replay' | 'rebuild';

/** Long work that somebody asked for and follows. */
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
  insert(job: Job): Promise<void>;
  get(id: string): Promise<Job | undefined>;
  /** The job that runs, if one does. */
  findRunning(): Promise<Job | undefined>;
  update(
    id: string,
    change: Partial<Pick<Job, 'status' | 'done' | 'total' | 'error'>> & {
      updatedAt: number;
    },
  ): Promise<void>;
}
