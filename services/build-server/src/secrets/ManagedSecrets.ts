import {
  ConflictError,
  NotFoundError,
  type SecretCipher,
} from '@slipway/service-kit';
import type { Build } from '../builds/Build.ts';
import type { Job } from '../jobs/Job.ts';
import type { SecretStore } from '../storage/SecretStore.ts';
import type { StepSecret, StepSecrets } from './StepSecrets.ts';

/** A secret as shown to people, without its value. */
export interface ListedSecret {
  name: string;
  /** Secrets of the configuration cannot be changed here. */
  origin: 'configuration' | 'stored';
  jobs: readonly string[];
  branches: readonly string[];
  updatedAt: number | null;
  updatedBy: string | null;
  lastUsedAt: number | null;
  lastUsedBy: string | null;
  /** False if the value was encrypted with another key. */
  readable: boolean;
}

/**
 * Manages the secrets of the configuration and those that admins store, for builds and for people.
 */
export class ManagedSecrets {
  readonly #configured: ReadonlyMap<string, StepSecret>;
  readonly #secrets: StepSecrets;
  readonly #store: SecretStore;
  readonly #cipher: SecretCipher | undefined;
  readonly #now: () => number;
  readonly #logger: { warn(details: object, message: string): void };
  #fingerprint = '';

  constructor(options: {
    /** Secrets of the configuration; they take precedence over stored ones. */
    configured: Readonly<Record<string, StepSecret>>;
    /** Receives all secrets. */
    secrets: StepSecrets;
    store: SecretStore;
    /** Undefined if the configuration has no key; then nothing can be stored. */
    cipher: SecretCipher | undefined;
    now: () => number;
    logger: { warn(details: object, message: string): void };
  }) {
    this.#configured = new Map(Object.entries(options.configured));
    this.#secrets = options.secrets;
    this.#store = options.store;
    this.#cipher = options.cipher;
    this.#now = options.now;
    this.#logger = options.logger;
  }

  get canStore(): boolean {
    return this.#cipher !== undefined;
  }

  /** Reloads the secrets stored by this or another process. @returns whether anything has changed. */
  async refresh(): Promise<boolean> {
    const records = await this.#store.list();
    const fingerprint = JSON.stringify(records);
    if (fingerprint === this.#fingerprint) {
      return false;
    }
    const found = new Map<string, StepSecret>();
    for (const { name, ciphertext, jobs, branches } of records) {
      const value = this.#cipher?.decrypt(name, ciphertext);
      if (value === undefined) {
        this.#logger.warn({ secret: name }, 'A secret cannot be decrypted');
      } else {
        found.set(name, { value, jobs, branches });
      }
    }
    this.#secrets.replace(new Map([...found, ...this.#configured]));
    this.#fingerprint = fingerprint;
    return true;
  }

  async list(): Promise<ListedSecret[]> {
    const uses = await this.#store.uses();
    const usesOf = (name: string) => ({
      lastUsedAt: uses.get(name)?.usedAt ?? null,
      lastUsedBy: uses.get(name)?.usedBy ?? null,
    });
    const configured = [...this.#configured].map(
      ([name, { jobs, branches = [] }]): ListedSecret => ({
        ...{ name, jobs, branches, origin: 'configuration', readable: true },
        ...{ updatedAt: null, updatedBy: null },
        ...usesOf(name),
      }),
    );
    const stored = (await this.#store.list())
      .filter(({ name }) => !this.#configured.has(name))
      .map(({ ciphertext, ...record }): ListedSecret => ({
        ...record,
        origin: 'stored',
        readable: this.#cipher?.decrypt(record.name, ciphertext) !== undefined,
        ...usesOf(record.name),
      }));
    return [...configured, ...stored].sort((one, other) =>
      one.name.localeCompare(other.name),
    );
  }

  /**
   * Creates or replaces a secret.
   *
   * @param change.value - undefined to keep the stored value.
   * @returns whether it is new.
   * @throws ConflictError if it cannot be stored here.
   * @throws NotFoundError if there is no value to keep.
   */
  async put(
    name: string,
    change: {
      value?: string;
      jobs: string[];
      branches: string[];
      by: string;
    },
  ): Promise<boolean> {
    if (!this.#cipher) {
      throw new ConflictError(
        'Secrets cannot be stored: set buildServer.secretsKey to at least 32 random characters',
      );
    }
    this.#assertNotConfigured(name);
    const kept = (await this.#store.list()).find(one => one.name === name);
    const ciphertext =
      change.value === undefined
        ? kept?.ciphertext
        : this.#cipher.encrypt(name, change.value);
    if (ciphertext === undefined) {
      throw new NotFoundError(
        `Secret ${name} not found; a new secret needs a value`,
      );
    }
    const { jobs, branches, by } = change;
    return this.#store.put({
      ...{ name, ciphertext, jobs, branches },
      ...{ updatedAt: this.#now(), updatedBy: by },
    });
  }

  /** @throws NotFoundError */
  async remove(name: string): Promise<void> {
    this.#assertNotConfigured(name);
    if (!(await this.#store.remove(name))) {
      throw new NotFoundError(`Secret ${name} not found`);
    }
  }

  /**
   * Records that a build receives its secrets. Never rejects, because the build is more important.
   */
  async recordUse(
    job: Job,
    build: Pick<Build, 'source' | 'job' | 'number' | 'parameters'>,
  ): Promise<void> {
    const names = Object.entries(this.#secrets.forBuild(job, build))
      .filter(([, { value }]) => value !== '')
      .map(([name]) => name);
    if (names.length === 0) {
      return;
    }
    const use = {
      usedAt: this.#now(),
      usedBy: `${build.job} #${build.number}`,
    };
    await this.#store.recordUse(names, use).catch((error: unknown) => {
      this.#logger.warn({ err: error }, 'The use of secrets was not recorded');
    });
  }

  /** @throws ConflictError */
  #assertNotConfigured(name: string): void {
    if (this.#configured.has(name)) {
      throw new ConflictError(
        `${name} is defined in the configuration; change it there`,
      );
    }
  }
}
