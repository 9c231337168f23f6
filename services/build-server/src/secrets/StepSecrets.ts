import type { Job, JobStep } from '../jobs/Job.ts';
import { SecretMask } from './SecretMask.ts';

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

  /** The secrets that any step of a job is given: one step may show what another one has kept. */
  valuesOf({ steps }: Job): string[] {
    return steps.flatMap(step => Object.values(this.environmentOf(step)));
  }

  /** A mask over {@link valuesOf} a job. */
  maskOf(job: Job): SecretMask {
    return new SecretMask(this.valuesOf(job));
  }
}
