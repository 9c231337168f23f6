import type { AddressRules } from '@slipway/platform-guards';
import {
  ConflictError,
  InvalidRequestError,
  NotFoundError,
  type SecretCipher,
} from '@slipway/service-kit';
import type { Destination, DestinationKey } from './Destination.ts';
import type { DestinationConfig } from './destinationConfig.ts';
import { openSink, summaryOf } from './openDestination.ts';
import type {
  DestinationRecord,
  PortalDestinationStore,
} from './storage/PortalDestinationStore.ts';

/** Maximum number of destinations that a project may have in addition to configured ones. */
const MAX_DESTINATIONS = 20;

/** Manages destinations: those of the configuration, and those that admins create. */
export class ManagedDestinations {
  readonly #options: {
    configured: readonly Destination[];
    store: PortalDestinationStore;
    cipher: SecretCipher | undefined;
    rules: AddressRules;
    now: () => number;
  };

  /**
   * @param options.cipher - undefined if the configuration has no key; then none can be created.
   * @param options.rules - the addresses that admins may choose.
   */
  constructor(options: {
    configured: readonly Destination[];
    store: PortalDestinationStore;
    cipher: SecretCipher | undefined;
    rules: AddressRules;
    now: () => number;
  }) {
    this.#options = options;
  }

  /** True if destinations can be created. */
  get canCreate(): boolean {
    return this.#options.cipher !== undefined;
  }

  /** Lists the destinations of a project, or of all. */
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
   * @throws ConflictError if the id is taken, or none can be created.
   */
  async create(
    projectId: string,
    config: DestinationConfig,
    by: string,
  ): Promise<Destination> {
    const { store, cipher, now } = this.#options;
    if (!cipher) {
      throw new ConflictError(
        'Destinations cannot be created: set analytics.secretsKey to at least 32 random characters',
      );
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
   * Pauses or resumes a destination. Events that arrive meanwhile are sent after that.
   * @throws NotFoundError
   * @throws ConflictError if the configuration declares it.
   */
  async pause(key: DestinationKey, isPaused: boolean): Promise<void> {
    this.#assertNotConfigured(key);
    const { store, now } = this.#options;
    if (!(await store.pause(key, isPaused ? now() : null))) {
      throw new NotFoundError(`Destination ${key.id} not found`);
    }
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

  #open({ ciphertext, ...record }: DestinationRecord): Destination {
    const { cipher, rules } = this.#options;
    const settings = cipher?.decrypt(nameOf(record), ciphertext);
    return {
      ...record,
      origin: 'portal',
      ...(settings !== undefined && {
        sink: openSink(JSON.parse(settings) as DestinationConfig, rules),
      }),
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
        `${key.id} is a destination of the configuration; change it there`,
      );
    }
  }
}

function nameOf({ projectId, id }: DestinationKey): string {
  return `${projectId}/${id}`;
}
