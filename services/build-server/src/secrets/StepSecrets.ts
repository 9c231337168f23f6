import type { Build } from '../builds/Build.ts';
import { type Job, secretsOf } from '../jobs/Job.ts';
import type { JobStep } from '../jobs/JobStep.ts';
import {
  type GitCredentials,
  secretOf,
  splitCredentials,
} from '../jobs/repository.ts';
import { SecretMask } from './SecretMask.ts';

type JobSource = NonNullable<Job['source']>;

/** A secret that steps may receive. */
export interface StepSecret {
  value: string;
  /** Names of the jobs that may use it. */
  jobs: readonly string[];
}

/** The secrets that steps may receive as variables. */
export class StepSecrets {
  readonly #secrets: ReadonlyMap<string, StepSecret>;

  /** @param secrets - by name. */
  constructor(secrets: Readonly<Record<string, StepSecret>>) {
    this.#secrets = new Map(Object.entries(secrets));
  }

  /** Returns why a job may not use a secret; undefined if it may. */
  refusalOf(job: string, name: string): string | undefined {
    const secret = this.#secrets.get(name);
    if (!secret) {
      return `buildServer.stepSecrets has no ${name}`;
    }
    return secret.jobs.includes(job)
      ? undefined
      : `buildServer.stepSecrets.${name}.jobs does not name ${job}`;
  }

  /** Returns the secret variables of a step. */
  environmentOf({ secrets = {} }: JobStep): Record<string, string> {
    return Object.fromEntries(
      Object.entries(secrets).map(([variable, name]) => [
        variable,
        this.#secrets.get(name)!.value,
      ]),
    );
  }

  /**
   * Returns the repository of a job, and its credentials: those from its secrets, else
   * those in its address.
   */
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

  /**
   * Returns the secrets available to the checkout or any step of a job: one step may
   * print what another has stored.
   */
  valuesOf(job: Job): string[] {
    const inAddress = job.source && splitCredentials(job.source.repository);
    // Which of them the commit's files name is known only after the checkout.
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

  /**
   * Returns the secrets that an agent needs for a build, by name. The author of a pull
   * request from a fork controls what its steps do, so only the names of step secrets are
   * sent.
   */
  forBuild(
    job: Job,
    { source }: Pick<Build, 'source'>,
  ): Record<string, StepSecret> {
    const [parent] = job.name.split('/');
    const isFork = source?.pullRequest?.isFork ?? false;
    const ofCheckout = job.source?.credentials?.secret;
    return Object.fromEntries(
      [...this.#secrets]
        .filter(([name, { jobs }]) =>
          job.pipelines ? jobs.includes(parent) : secretsOf(job).includes(name),
        )
        .map(([name, { value, jobs }]) => [
          name,
          {
            value: isFork && name !== ofCheckout ? '' : value,
            jobs: [...jobs],
          },
        ]),
    );
  }

  /** Makes a mask for the {@link valuesOf} a job. */
  maskOf(job: Job): SecretMask {
    return new SecretMask(this.valuesOf(job));
  }
}
