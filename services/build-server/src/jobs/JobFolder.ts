import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { JobCatalog } from './JobCatalog.ts';
import type { JobRules } from './checkJob.ts';
import { fingerprintJobs, readJobs } from './readJobs.ts';

/** Maximum length of a job file. */
const MAX_TEXT = 65_536;
/** User and password of an address. The scheme is matched from its end, to avoid quadratic time. */
const CREDENTIALS = /:\/\/(?<=[a-z][a-z0-9+.-]*:\/\/)[^\s/?#]*@/gi;

/** Dependencies of {@link JobFolder}. */
interface FolderOptions {
  /** Absolute. */
  directory: string;
  rules: JobRules;
  catalog: JobCatalog;
  logger: {
    info(details: object, message: string): void;
    warn(details: object, message: string): void;
  };
}

/** The folder of job files, from which a catalog is refreshed without a restart. */
export class JobFolder {
  readonly #options: FolderOptions;
  #fingerprint: string | undefined;

  constructor(options: FolderOptions) {
    this.#options = options;
  }

  /**
   * Reads the text of a file of the folder, without credentials in addresses.
   *
   * @param file - its name in the catalog.
   * @returns undefined if it no longer exists.
   */
  async text(file: string): Promise<string | undefined> {
    const { directory } = this.#options;
    const names: string[] = await readdir(directory).catch(() => []);
    const text = names.includes(file)
      ? await readFile(path.join(directory, file), 'utf8').catch(() => '')
      : undefined;
    return text?.slice(0, MAX_TEXT).replace(CREDENTIALS, '://****@');
  }

  /** Makes the next refresh reload all files, because something that they refer to has changed. */
  forget(): void {
    this.#fingerprint = undefined;
  }

  /**
   * Reloads the files if any has changed since the last time. Running builds keep the job
   * with which they started.
   *
   * @throws ConfigurationError if the folder cannot be read; the catalog is unchanged
   * then.
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
        logger.warn(
          { file, job: name, faults },
          'A job file has errors, so its job is disabled',
        );
      }
    }
  }
}
