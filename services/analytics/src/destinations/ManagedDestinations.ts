import type { AddressRules } from '@slipway/platform-guards';
import {
  ConflictError,
  InvalidRequestError,
  NotFoundError,
  type SecretCipher,
} from '@slipway/service-kit';
import type { Destination, DestinationKey } from './Destination.ts';
import {
  changedConfig,
  type DestinationChanges,
  type DestinationConfig,
  renewedConfig,
} from './destinationConfig.ts';
import { openSettings, summaryOf } from './openDestination.ts';
import type {
  DestinationRecord,
  PortalDestinationStore,
} from './storage/PortalDestinationStore.ts';

/** Maximum number of destinations that a project may have in addition to configured ones. */
const MAX_DESTINATIONS = 20;

interface ManagedDestinationsOptions {
  configured: readonly Destination[];
  store: PortalDestinationStore;
  /**
   * Encrypts secrets; undefined if the configuration has no key, and then no destination
   * can be created.
   */
  cipher: SecretCipher | undefined;
  /** Determines which addresses admins may choose. */
  rules: AddressRules;
  now: () => number;
}

/** Manages destinations, both configured ones and those that admins create. */
export class ManagedDestinations {
  readonly #options: ManagedDestinationsOptions;

  constructor(options: ManagedDestinationsOptions) {
    this.#options = options;
  }

  /** True if destinations can be created. */
  get canCreate(): boolean {
    return this.#options.cipher !== undefined;
  }

  /** Lists the destinations of a project, or of all projects. */
  async list(projectId?: string): Promise<Destination[]> {
    const configured = this.#options.configured.filter(
      each => projectId === undefined || each.projectId === projectId,
    );
    const names = new Set(configured.map(nameOf));
    const stored = await this.#options.store.list(projectId);
    return [
      ...configured,
      ...stored
        .filter(each => !names.has(nameOf(each)))
        .map(each => this.#open(each)),
    ];
  }

  /** @throws NotFoundError */
  async get({ projectId, id }: DestinationKey): Promise<Destination> {
    const found = (await this.list(projectId)).find(each => each.id === id);
    if (!found) {
      throw new NotFoundError(`Destination ${id} not found`);
    }
    return found;
  }

  /**
   * Creates a destination, which receives the events that arrive from now on.
   * @throws InvalidRequestError if its address is not allowed.
   * @throws ConflictError if the id is taken, or no destination can be created.
   */
  async create(
    projectId: string,
    config: DestinationConfig,
    by: string,
  ): Promise<Destination> {
    const { store, cipher, now } = this.#options;
    if (!cipher) {
      throw needsKey('created');
    }
    this.#assertAllowed(config);
    const summary = summaryOf(projectId, config);
    const record = {
      ...summary,
      ciphertext: cipher.encrypt(nameOf(summary), JSON.stringify(config)),
      isPaused: false,
    };
    const isConfigured = this.#isConfigured(summary);
    const result = isConfigured
      ? 'taken'
      : await store.add(record, { now: now(), by, limit: MAX_DESTINATIONS });
    if (result === 'taken') {
      throw new ConflictError(`The project has a destination ${config.id}`);
    }
    if (result === 'full') {
      throw new ConflictError(
        `A project may have ${MAX_DESTINATIONS} destinations; delete one first`,
      );
    }
    return this.#open(record);
  }

  /**
   * Changes a destination, possibly including its id. It keeps its progress: events that
   * arrived while it was paused, after a failure, or while its settings could not be
   * decrypted are sent with the new settings.
   * @throws NotFoundError
   * @throws InvalidRequestError if its address is not allowed.
   * @throws ConflictError if the configuration declares it, its new id is taken, someone
   *   else changed it at the same time, or its settings cannot be decrypted and the changes
   *   do not replace all required ones.
   */
  async change(
    key: DestinationKey,
    changes: DestinationChanges,
  ): Promise<Destination> {
    this.#assertNotConfigured(key);
    const { store, now } = this.#options;
    const current = await store.find(key);
    if (!current) {
      throw new NotFoundError(`Destination ${key.id} not found`);
    }
    const { isPaused = current.isPaused } = changes;
    const record = { ...this.#changed(current, changes), isPaused };
    const result =
      record.id !== current.id && this.#isConfigured(record)
        ? 'taken'
        : await store.change(current, record, now());
    if (result === 'taken') {
      throw new ConflictError(`The project has a destination ${record.id}`);
    }
    if (result === 'stale') {
      throw changedMeanwhile();
    }
    return this.#open(record);
  }

  /**
   * Deletes a destination.
   * @throws NotFoundError
   * @throws ConflictError if the configuration declares it.
   */
  async remove(key: DestinationKey): Promise<void> {
    this.#assertNotConfigured(key);
    if (!(await this.#options.store.remove(key))) {
      throw new NotFoundError(`Destination ${key.id} not found`);
    }
  }

  #open(record: DestinationRecord): Destination {
    const config = this.#decrypt(record);
    const { ciphertext: _, ...rest } = record;
    return {
      ...rest,
      origin: 'portal',
      ...(config && openSettings(config, this.#options.rules)),
    };
  }

  /** Returns the settings; undefined if they were encrypted with another key. */
  #decrypt(record: DestinationRecord): DestinationConfig | undefined {
    const text = this.#options.cipher?.decrypt(
      nameOf(record),
      record.ciphertext,
    );
    return text === undefined
      ? undefined
      : (JSON.parse(text) as DestinationConfig);
  }

  #changed(
    current: DestinationRecord,
    changes: DestinationChanges,
  ): DestinationRecord {
    const { id, events, settings } = changes;
    if (
      id === undefined &&
      events === undefined &&
      Object.keys(settings).length === 0
    ) {
      return current;
    }
    const { cipher } = this.#options;
    if (!cipher) {
      throw needsKey('changed');
    }
    const stored = this.#decrypt(current);
    const config = stored
      ? changedConfig(stored, changes)
      : renewedConfig(current, changes);
    if (!config) {
      throw changedMeanwhile();
    }
    if ('missing' in config) {
      throw new ConflictError(
        `Its settings were encrypted with another analytics.secretsKey; set ${config.missing.join(', ')} too`,
      );
    }
    this.#assertAllowed(config);
    const summary = summaryOf(current.projectId, config);
    return {
      ...summary,
      ciphertext: cipher.encrypt(nameOf(summary), JSON.stringify(config)),
      isPaused: current.isPaused,
    };
  }

  #assertAllowed(config: DestinationConfig): void {
    const [field, address] =
      config.kind === 'webhook'
        ? ['url', config.url]
        : ['endpoint', config.endpoint];
    const url = URL.parse(address);
    if (!url || this.#options.rules.judge(url) === 'refused') {
      throw new InvalidRequestError(
        `${field} must not point into the internal network, unless egress.allowedHosts lists its host`,
        { field, constraint: 'format' },
      );
    }
  }

  #isConfigured(key: DestinationKey): boolean {
    return this.#options.configured.some(each => nameOf(each) === nameOf(key));
  }

  #assertNotConfigured(key: DestinationKey): void {
    if (this.#isConfigured(key)) {
      throw new ConflictError(
        `${key.id} is defined in the configuration; change it there`,
      );
    }
  }
}

function needsKey(done: 'created' | 'changed'): ConflictError {
  return new ConflictError(
    `Destinations cannot be ${done}: set analytics.secretsKey to at least 32 random characters`,
  );
}

function changedMeanwhile(): ConflictError {
  return new ConflictError('Someone else changed the destination; reload it');
}

function nameOf({ projectId, id }: DestinationKey): string {
  return `${projectId}/${id}`;
}
