import { ConflictError, NotFoundError } from '@slipway/service-kit';
import type { BranchJob, Job } from './Job.ts';
import type { JobFault } from './readJobFile.ts';
import type { JobFile } from './readJobs.ts';

/** A job and the file that describes it. */
interface Entry {
  /** The job of the last version of the file without faults; it has no steps where there was none. */
  job: Job;
  file: string;
  faults: readonly JobFault[];
}

/** The jobs that there are. Names are looked up and never become paths. */
export class JobCatalog {
  #entries: ReadonlyMap<string, Entry> = new Map();
  #branches: ReadonlyMap<string, BranchJob> = new Map();

  constructor(files: readonly JobFile[] = []) {
    this.replace(files);
  }

  /** Takes the files as they are now; a job whose file has become faulty stays known as it was. */
  replace(files: readonly JobFile[]): void {
    const before = this.#entries;
    const entries = new Map<string, Entry>();
    for (const { file, name, job } of files) {
      if (job) {
        entries.set(name, { job, file, faults: [] });
      }
    }
    for (const { file, name, job, faults } of files) {
      if (!job) {
        // What cannot be read does not say its name either.
        const known = [...before].find(([, entry]) => entry.file === file)?.[0];
        const own = known && !entries.has(known) ? known : name;
        const kept = before.get(own)?.job ?? { name: own, steps: [] };
        entries.set(own, { job: kept, file, faults });
      }
    }
    this.#entries = entries;
  }

  /** Takes the branches and pull requests that have a job of their own, as they are now. */
  replaceBranches(branches: readonly BranchJob[]): void {
    this.#branches = new Map(branches.map(branch => [branch.name, branch]));
  }

  /** The branch or pull request that a job is of; undefined for one of a file. */
  branchOf(name: string): BranchJob | undefined {
    return this.#branches.get(name);
  }

  /** The jobs of the branches and pull requests of a job. */
  branchesOf(parent: string): BranchJob[] {
    return [...this.#branches.values()].filter(
      branch => branch.parent === parent,
    );
  }

  /** All jobs, sorted by name; those with faults among them. */
  all(): Job[] {
    return this.#list(() => true);
  }

  /** The jobs that can be built, sorted by name. */
  enabled(): Job[] {
    return this.#list(({ faults }) => faults.length === 0);
  }

  find(name: string): Job | undefined {
    return this.#find(name)?.job;
  }

  /** @throws NotFoundError */
  get(name: string): Job {
    const job = this.find(name);
    if (!job) {
      throw new NotFoundError(`Job ${name} not found`);
    }
    return job;
  }

  /** The file of a job with everything that is wrong with it. */
  fileOf(name: string): { file: string | null; faults: readonly JobFault[] } {
    const { file = null, faults = [] } = this.#find(name) ?? {};
    return { file, faults };
  }

  /** Why a job cannot be built; undefined where it can. */
  disabledReason(name: string): string | undefined {
    const { file, faults } = this.fileOf(name);
    const [fault] = faults;
    return fault && `${file} line ${fault.line}: ${fault.message}`;
  }

  /** @throws ConflictError for a job whose file has faults. */
  assertEnabled(name: string): void {
    const reason = this.disabledReason(name);
    if (reason !== undefined) {
      throw new ConflictError(`Job ${name} is disabled: ${reason}`);
    }
  }

  #list(filter: (entry: Entry) => boolean): Job[] {
    const ofBranches = [...this.#branches.keys()].map(name => this.#find(name));
    return [...this.#entries.values(), ...ofBranches]
      .filter(entry => entry !== undefined)
      .filter(filter)
      .map(({ job }) => job)
      .sort((one, other) => one.name.localeCompare(other.name));
  }

  /** The job of a branch is that of its file in all but its name, and in what triggers it. */
  #find(name: string): Entry | undefined {
    const branch = this.#branches.get(name);
    const entry = this.#entries.get(branch?.parent ?? name);
    if (!branch || !entry?.job.pipelines) {
      return branch ? undefined : entry;
    }
    const { webhook, schedule, ...job } = entry.job;
    return { ...entry, job: { ...job, name } };
  }
}
