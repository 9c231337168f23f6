import { ConflictError, NotFoundError } from '@slipway/service-kit';
import { type BranchJob, type Job, mainRefsOf } from './Job.ts';
import { countOf, type JobFault } from './readJobFile.ts';
import type { JobFile } from './readJobs.ts';

/** A job and the file that describes it. */
interface Entry {
  /** The job of the last valid version of the file; without steps if there was none. */
  job: Job;
  /** Null for a job that was created from the server's sample. */
  file: string | null;
  faults: readonly JobFault[];
}

/** The catalog of jobs. Names are looked up and never become paths. */
export class JobCatalog {
  #entries: ReadonlyMap<string, Entry> = new Map();
  #branches: ReadonlyMap<string, BranchJob> = new Map();
  /** The same branches, by the name of the job that they belong to. */
  #branchesOf: ReadonlyMap<string, readonly BranchJob[]> = new Map();
  /** Jobs without a file; a file of the same name takes precedence. */
  #samples: ReadonlyMap<string, Entry> = new Map();
  /** The people who disabled jobs, by name of the job. */
  #disabled: ReadonlyMap<string, string> = new Map();

  constructor(files: readonly JobFile[] = []) {
    this.replace(files);
  }

  /** Replaces the files; a job whose file has become invalid keeps its last valid version. */
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
        // An unreadable file does not reveal its job's name either.
        const known = [...before].find(([, entry]) => entry.file === file)?.[0];
        const own = known && !entries.has(known) ? known : name;
        const kept = before.get(own)?.job ?? { name: own, steps: [] };
        entries.set(own, { job: kept, file, faults });
      }
    }
    this.#entries = entries;
  }

  /** Replaces the jobs created from the server's sample. */
  replaceSamples(jobs: readonly Job[]): void {
    this.#samples = new Map(
      jobs.map(job => [job.name, { job, file: null, faults: [] }]),
    );
  }

  /** Checks whether a name belongs to a file, or to a branch of one. */
  isOfFile(name: string): boolean {
    return this.#entries.has(name) || this.#branches.has(name);
  }

  /** Replaces the branches and pull requests that have their own job. */
  replaceBranches(branches: readonly BranchJob[]): void {
    this.#branches = new Map(branches.map(branch => [branch.name, branch]));
    this.#branchesOf = Map.groupBy(
      this.#branches.values(),
      ({ parent }) => parent,
    );
  }

  /** Replaces the disabled jobs: who disabled each, by its name. */
  replaceDisabled(disabled: ReadonlyMap<string, string>): void {
    this.#disabled = disabled;
  }

  /** Returns who disabled a job; undefined if nobody did. A disabled job disables its branches. */
  disabledBy(name: string): string | undefined {
    const parent = this.#branches.get(name)?.parent;
    return (
      this.#disabled.get(name) ??
      (parent === undefined ? undefined : this.#disabled.get(parent))
    );
  }

  /** Returns the branch or pull request of a job; undefined for the job of a file. */
  branchOf(name: string): BranchJob | undefined {
    return this.#branches.get(name);
  }

  /** Lists the branches and pull requests of a job that have their own jobs. */
  branchesOf(parent: string): readonly BranchJob[] {
    return this.#branchesOf.get(parent) ?? [];
  }

  /**
   * Returns the job of the main branch of a job with pipelines, which has few builds of its own;
   * undefined if there is none.
   */
  mainBranchOf(name: string): BranchJob | undefined {
    const refs = mainRefsOf(this.find(name) ?? {});
    return this.branchesOf(name).find(
      ({ ref, pullRequest }) => pullRequest === null && refs.includes(ref),
    );
  }

  /** Lists all jobs, sorted by name, including those with faults. */
  all(): Job[] {
    return this.#list(() => true);
  }

  /** Lists the jobs that can be built, sorted by name. */
  enabled(): Job[] {
    return this.#list(
      ({ faults, job }) =>
        faults.length === 0 && this.disabledBy(job.name) === undefined,
    );
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

  /** Finds the job of a build, also if its branch or pull request is gone. */
  findOfBuild(name: string): Job | undefined {
    const [parent] = name.split('/');
    const job = this.find(name) ?? this.find(parent);
    return job && { ...job, name };
  }

  /** Returns the file of a job with all its faults. */
  fileOf(name: string): { file: string | null; faults: readonly JobFault[] } {
    const { file = null, faults = [] } = this.#find(name) ?? {};
    return { file, faults };
  }

  /** Returns why a job cannot be built, e.g. `is disabled by token:ada`; undefined if it can. */
  disabledReason(name: string): string | undefined {
    const { file, faults } = this.fileOf(name);
    const [fault, ...others] = faults;
    const by = this.disabledBy(name);
    return fault
      ? `is disabled: ${file} line ${fault.line}: ${fault.message}${countOf(others)}`
      : by && `is disabled by ${by}`;
  }

  /** @throws ConflictError for a job whose file has errors, or that a user disabled. */
  assertEnabled(name: string): void {
    const reason = this.disabledReason(name);
    if (reason !== undefined) {
      throw new ConflictError(`Job ${name} ${reason}`);
    }
  }

  #list(filter: (entry: Entry) => boolean): Job[] {
    const ofBranches = [...this.#branches.keys()].map(name => this.#find(name));
    const samples = [...this.#samples.values()].filter(
      ({ job }) => !this.#entries.has(job.name),
    );
    return [...this.#entries.values(), ...samples, ...ofBranches]
      .filter(entry => entry !== undefined)
      .filter(filter)
      .map(({ job }) => job)
      .sort((one, other) => one.name.localeCompare(other.name));
  }

  /** Finds a job. The job of a branch differs from that of its file only in its name and its triggers. */
  #find(name: string): Entry | undefined {
    const branch = this.#branches.get(name);
    const own = branch?.parent ?? name;
    const entry = this.#entries.get(own) ?? this.#samples.get(own);
    if (!branch || !entry) {
      return branch ? undefined : entry;
    }
    // If the file has been faulty since the start, it is unknown whether the job still has
    // branches.
    if (!entry.job.pipelines && entry.faults.length === 0) {
      return undefined;
    }
    const { webhook, schedule, after, ...job } = entry.job;
    return { ...entry, job: { ...job, name } };
  }
}
