import { type Job, type JobStep, secretsOf } from '../jobs/Job.ts';
import {
  type GitCredentials,
  secretOf,
  splitCredentials,
} from '../jobs/repository.ts';
import { SecretMask } from './SecretMask.ts';

type JobSource = NonNullable<Job['source']>;

/** A secret that steps may be given. */
export interface StepSecret {
  value: string;
  /** Names of the jobs that may use it. */
  jobs: readonly string[];
}

/** What steps may be given as variables and nobody may see. */
export class StepSecrets {
  readonly #secrets: ReadonlyMap<string, StepSecret>;

  /** @param secrets - by name. */
  constructor(secrets: Readonly<Record<string, StepSecret>>) {
    this.#secrets = new Map(Object.entries(secrets));
  }

  /** Why a job may not use a secret; undefined where it may. */
  refusalOf(job: string, name: string): string | undefined {
    const secret = this.#secrets.get(name);
    if (!secret) {
      return `buildServer.stepSecrets has no ${name}`;
    }
    return secret.jobs.includes(job)
      ? undefined
      : `buildServer.stepSecrets.${name}.jobs does not name ${job}`;
  }

  /** The variables of a step. */
  environmentOf({ secrets = {} }: JobStep): Record<string, string> {
    return Object.fromEntries(
      Object.entries(secrets).map(([variable, name]) => [
        variable,
        this.#secrets.get(name)!.value,
      ]),
    );
  }

  /** The repository of a job, and what opens it: of its secrets, else what stands in its address. */
  checkoutOf({ repository: address, credentials: named }: JobSource): {
    repository: string;
    credentials?: GitCredentials;
  } {
    const { repository, credentials } = splitCredentials(address);
    const password = named && this.#secrets.get(named.secret)!.value;
    return password === undefined
      ? { repository, credentials }
      : {
          repository,
          credentials: { username: named?.username ?? 'git', password },
        };
  }

  /** The secrets that the checkout or any step of a job is given: one step may show what another one has kept. */
  valuesOf(job: Job): string[] {
    const inAddress = job.source && splitCredentials(job.source.repository);
    // Which ones the files of a commit name is seen once it is checked out.
    const [parent] = job.name.split('/');
    const allowed = [...this.#secrets.values()]
      .filter(({ jobs }) => job.pipelines && jobs.includes(parent))
      .map(({ value }) => value);
    return [
      ...allowed,
      ...secretsOf(job).map(name => this.#secrets.get(name)!.value),
      ...(inAddress?.credentials ? [secretOf(inAddress.credentials)] : []),
    ];
  }

  /** A mask over {@link valuesOf} a job. */
  maskOf(job: Job): SecretMask {
    return new SecretMask(this.valuesOf(job));
  }
}
