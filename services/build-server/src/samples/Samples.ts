import { ConflictError } from '@slipway/service-kit';
import type { Artifacts } from '../artifacts/Artifacts.ts';
import type { JobCatalog } from '../jobs/JobCatalog.ts';
import type { BuildLogs } from '../logs/BuildLogs.ts';
import { removeFiles } from '../retention/startDiscarding.ts';
import type { PastBuild, SampleStore } from '../storage/SampleStore.ts';
import { type SampleJob, sampleJobOf } from './sampleJob.ts';

const AT_A_TIME = 200;

/** Dependencies of {@link Samples}. */
interface SampleOptions {
  store: SampleStore;
  catalog: JobCatalog;
  logs: BuildLogs;
  artifacts: Artifacts;
  /** Registers jobs, so that build numbers can be reserved for them. */
  register: (names: readonly string[]) => Promise<void>;
}

/** Manages sample jobs with their builds and logs, and keeps the catalog of jobs up to date. */
export class Samples {
  readonly #options: SampleOptions;

  constructor(options: SampleOptions) {
    this.#options = options;
  }

  /** Updates the catalog with the sample jobs stored by this server or another. */
  async refresh(): Promise<void> {
    const { store, catalog } = this.#options;
    catalog.replaceSamples((await store.list()).map(sampleJobOf));
  }

  /** @throws ConflictError if a job file has the same name. */
  async addJobs(jobs: readonly SampleJob[]): Promise<void> {
    const { store, catalog, register } = this.#options;
    const taken = jobs.find(({ name }) => catalog.isOfFile(name));
    if (taken) {
      throw new ConflictError(`The job ${taken.name} comes from a file`);
    }
    await store.addJobs(jobs);
    await this.refresh();
    await register(jobs.map(({ name }) => name));
  }

  /** Adds past builds. @returns the number of new ones. */
  async addBuilds(
    builds: readonly { past: PastBuild; log: string | undefined }[],
  ): Promise<number> {
    const { store, logs } = this.#options;
    const added = await store.addBuilds(builds.map(({ past }) => past));
    const texts = new Map(
      builds.map(({ past, log }) => [`${past.job} ${past.number}`, log]),
    );
    for (const { id, job, number } of added) {
      const text = texts.get(`${job} ${number}`);
      if (text !== undefined) {
        await logs.writeAt(id, 0, Buffer.from(text));
      }
    }
    return added.length;
  }

  /** Removes all sample jobs with their data. @returns the number of jobs. */
  async remove(): Promise<number> {
    const { store } = this.#options;
    for (;;) {
      const ids = await store.someBuilds(AT_A_TIME);
      if (ids.length === 0) {
        break;
      }
      await removeFiles(ids, this.#options);
      await store.removeBuilds(ids);
    }
    const removed = await store.removeJobs();
    await this.refresh();
    return removed;
  }
}
