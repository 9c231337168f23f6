import type { Build, BuildResult } from './Build.ts';

/** Which build a permalink of Jenkins means. */
export interface BuildFilter {
  completed?: boolean;
  results?: readonly BuildResult[];
}

/** Reads what is known of builds. */
export interface BuildReader {
  findById(id: number): Promise<Build | undefined>;
  /** One that has started. */
  find(job: string, number: number): Promise<Build | undefined>;
  /** The newest that has started and is as asked for. */
  findNewest(job: string, filter?: BuildFilter): Promise<Build | undefined>;
  /** The oldest that has started and is kept. */
  findOldest(job: string): Promise<Build | undefined>;
  /** Started ones, newest first. */
  list(job: string, limit: number): Promise<Build[]>;
  /** What waits, in the order in which it is due. */
  listQueue(job?: string): Promise<Build[]>;
  /** The number that the next build of a job will have. */
  nextNumber(job: string): Promise<number>;
  /** How many wait and run. */
  count(): Promise<{ queued: number; running: number }>;
}
