import type { JobCatalog } from './JobCatalog.ts';
import type { JobRules } from './checkJob.ts';
import { fingerprintJobs, readJobs } from './readJobs.ts';

/** The folder of job files, from which a catalog is brought up to date without a restart. */
export class JobFolder {
  readonly #options: {
    directory: string;
    rules: JobRules;
    catalog: JobCatalog;
    logger: {
      info(details: object, message: string): void;
      warn(details: object, message: string): void;
    };
  };
  #fingerprint: string | undefined;

  /** @param options.directory - absolute. */
  constructor(options: {
    directory: string;
    rules: JobRules;
    catalog: JobCatalog;
    logger: {
      info(details: object, message: string): void;
      warn(details: object, message: string): void;
    };
  }) {
    this.#options = options;
  }

  /**
   * Reads the files where any has changed since the last time. Builds that run keep the job
   * as they began with it.
   *
   * @throws ConfigurationError where the folder cannot be read; the catalog stays as it was.
   */
  async refresh(): Promise<void> {
    const { directory, rules, catalog, logger } = this.#options;
    const fingerprint = await fingerprintJobs(directory);
    if (fingerprint === this.#fingerprint) {
      return;
    }
    const files = await readJobs(directory, rules);
    catalog.replace(files);
    this.#fingerprint = fingerprint;
    logger.info({ jobs: catalog.enabled().length }, 'Jobs were read');
    for (const { file, name, faults } of files) {
      if (faults.length > 0) {
        logger.warn({ file, job: name, faults }, 'A job is disabled');
      }
    }
  }
}
