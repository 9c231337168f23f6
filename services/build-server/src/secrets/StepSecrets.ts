import type { Build } from '../builds/Build.ts';
import { type Job, refOfBranch, secretsOf } from '../jobs/Job.ts';
import { matchesGlob } from '../jobs/globs.ts';
import type { JobStep } from '../jobs/JobStep.ts';
import {
  type GitCredentials,
  secretOf,
  splitCredentials,
} from '../jobs/repository.ts';
import { SecretMask } from './SecretMask.ts';

type JobSource = NonNullable<Job['source']>;

/** Maximum number of cached masks. Most jobs use the same few secrets. */
const MAX_MASKS = 100;

/** A secret that steps may receive. */
export interface StepSecret {
  value: string;
  /** Names of the jobs that may use it. */
  jobs: readonly string[];
  /** Globs of the branches whose builds may get it; empty for all builds. */
  branches?: readonly string[];
}

/** The secrets that steps may receive as variables. */
export class StepSecrets {
  #secrets: ReadonlyMap<string, StepSecret>;
  /** The masks created so far, by what they hide: agents need one for every part of a log. */
  readonly #masks = new Map<string, SecretMask>();

  /** @param secrets - by name. */
  constructor(secrets: Readonly<Record<string, StepSecret>>) {
    this.#secrets = new Map(Object.entries(secrets));
  }

  /** Replaces all secrets. Running builds keep those that they started with. */
  replace(secrets: ReadonlyMap<string, StepSecret>): void {
    this.#secrets = secrets;
    this.#masks.clear();
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

  /** Returns the secret variables of a step, without those that its branch may not use. */
  environmentOf({ secrets = {} }: JobStep): Record<string, string> {
    return Object.fromEntries(
      Object.entries(secrets)
        .map(([variable, name]) => [variable, this.#valueOf(name)])
        .filter(([, value]) => value !== ''),
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
    const password = named && this.#valueOf(named.secret);
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
    // Which of them the commit's files name is only known after the checkout.
    const [parent] = job.name.split('/');
    const allowed = [...this.#secrets.values()]
      .filter(({ jobs }) => job.pipelines && jobs.includes(parent))
      .map(({ value }) => value);
    const values = [
      ...allowed,
      ...secretsOf(job).map(name => this.#valueOf(name)),
      ...(inAddress?.credentials ? [secretOf(inAddress.credentials)] : []),
    ];
    return values.filter(value => value !== '');
  }

  /**
   * Returns the secrets for a build, by name. The author of a pull request from a fork controls
   * what its steps do, so such a build gets step secrets without their values, as does a build of a
   * branch that a secret does not allow.
   */
  forBuild(
    job: Job,
    build: Pick<Build, 'source' | 'parameters'>,
  ): Record<string, StepSecret> {
    const { source } = build;
    const branch = branchOf(job, build);
    const [parent] = job.name.split('/');
    const isFork = source?.pullRequest?.isFork ?? false;
    const ofCheckout = job.source?.credentials?.secret;
    return Object.fromEntries(
      [...this.#secrets]
        .filter(([name, { jobs }]) =>
          job.pipelines ? jobs.includes(parent) : secretsOf(job).includes(name),
        )
        .map(([name, { value, jobs, branches = [] }]) => {
          const isGiven =
            !isFork &&
            (branches.length === 0 ||
              (branch !== undefined &&
                branches.some(glob => matchesGlob(branch, glob))));
          return [
            name,
            {
              value: isGiven || name === ofCheckout ? value : '',
              jobs: [...jobs],
            },
          ];
        }),
    );
  }

  /** Returns a value; empty if the build must not get it, or if the secret was just deleted. */
  #valueOf(name: string): string {
    return this.#secrets.get(name)?.value ?? '';
  }

  /** Creates a mask for the {@link valuesOf} a job. */
  maskOf(job: Job): SecretMask {
    return this.#maskFor(this.valuesOf(job));
  }

  /** Creates a mask for all secrets, whichever jobs may use them. */
  maskOfAll(): SecretMask {
    const values = [...this.#secrets.values()].map(({ value }) => value);
    return this.#maskFor(values.filter(value => value !== ''));
  }

  #maskFor(values: readonly string[]): SecretMask {
    const key = JSON.stringify(values);
    const known = this.#masks.get(key);
    if (known) {
      return known.again();
    }
    if (this.#masks.size >= MAX_MASKS) {
      this.#masks.clear();
    }
    const mask = new SecretMask(values);
    this.#masks.set(key, mask);
    return mask.again();
  }
}

/** Returns the branch of a build; undefined for pull requests, tags, and if it is unknown. */
function branchOf(
  { source: described }: Job,
  { source, parameters }: Pick<Build, 'source' | 'parameters'>,
): string | undefined {
  if (source?.pullRequest) {
    return undefined;
  }
  const { branchFrom, branch } = described ?? {};
  const asked = (branchFrom && parameters[branchFrom]) || branch;
  const ref = source?.ref ?? (asked && refOfBranch(asked));
  const [, name] = /^refs\/heads\/(.+)$/.exec(ref ?? '') ?? [];
  return name;
}
