import { NotFoundError } from '@slipway/service-kit';
import type { Job } from './Job.ts';

/** The jobs that there are. Names are looked up and never become paths. */
export class JobCatalog {
  readonly #jobs: ReadonlyMap<string, Job>;

  constructor(jobs: readonly Job[]) {
    this.#jobs = new Map(jobs.map(job => [job.name, job]));
  }

  /** By name. */
  all(): Job[] {
    return [...this.#jobs.values()].sort((one, other) =>
      one.name.localeCompare(other.name),
    );
  }

  find(name: string): Job | undefined {
    return this.#jobs.get(name);
  }

  /** @throws NotFoundError */
  get(name: string): Job {
    const job = this.find(name);
    if (!job) {
      throw new NotFoundError(`There is no job ${name}`);
    }
    return job;
  }
}
