import type { Job } from '../jobs/Job.ts';
import { Bench } from './Bench.ts';
import type { BuildClient } from './BuildClient.ts';

/** A server that all tests of a block share. */
export interface SharedServer {
  readonly bench: Bench;
  readonly client: BuildClient;
  /** Declares a job; call it before the server starts. @returns the job's name. */
  job(job: Omit<Job, 'name'>): string;
}

/**
 * Starts one server before the tests of a block, with the jobs that the block has declared. Starting a
 * server for each test would take most of the processor time of a short build.
 *
 * @param mode - how its builds are isolated.
 */
export function sharedServer(
  mode: string,
  config: Record<string, unknown> = {},
): SharedServer {
  const jobs: Job[] = [];
  let bench: Bench;
  let client: BuildClient;

  beforeAll(async () => {
    bench = await Bench.open(mode);
    client = await bench.start(jobs, config);
  });

  afterAll(() => bench?.close());

  return {
    get bench() {
      return bench;
    },
    get client() {
      return client;
    },
    job(job) {
      const name = `job-${jobs.length + 1}`;
      jobs.push({ ...job, name });
      return name;
    },
  };
}
