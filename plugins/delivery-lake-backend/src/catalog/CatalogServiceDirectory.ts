import { AuthService, LoggerService } from '@backstage/backend-plugin-api';
import { CatalogService } from '@backstage/plugin-catalog-node';
import { DirectorySnapshot } from './DirectorySnapshot';
import { ServiceDirectory, ServiceMatch } from './ServiceDirectory';

const FIELDS = [
  'kind',
  'metadata.name',
  'metadata.namespace',
  'metadata.title',
  'metadata.annotations',
  'spec.owner',
  'spec.system',
  'spec.profile',
  'relations',
];

/**
 * A service directory backed by the catalog. It serves the last state that was read: empty
 * at first, and the last good one while the catalog is unavailable.
 */
export class CatalogServiceDirectory implements ServiceDirectory {
  readonly #catalog: Pick<CatalogService, 'streamEntities'>;
  readonly #auth: Pick<AuthService, 'getOwnServiceCredentials'>;
  readonly #logger: Pick<LoggerService, 'warn' | 'error'>;
  readonly #listeners: (() => Promise<void>)[] = [];
  #snapshot = new DirectorySnapshot([]);
  /** The state that listeners were last notified of; undefined before the first. */
  #announced: string | undefined;
  #refreshing: Promise<void> | undefined;

  constructor(options: {
    catalog: Pick<CatalogService, 'streamEntities'>;
    auth: Pick<AuthService, 'getOwnServiceCredentials'>;
    logger: Pick<LoggerService, 'warn' | 'error'>;
  }) {
    this.#catalog = options.catalog;
    this.#auth = options.auth;
    this.#logger = options.logger;
  }

  find(name: string): ServiceMatch {
    return this.#snapshot.find(name);
  }

  titleOf(entityRef: string): string {
    return this.#snapshot.titleOf(entityRef);
  }

  /**
   * Registers a listener for changes, including the first state. A listener that fails is called
   * again at the next refresh.
   */
  onChange(listener: () => Promise<void>): void {
    this.#listeners.push(listener);
  }

  /** Reads the catalog again; concurrent calls share one read. Does not throw. */
  async refresh(): Promise<void> {
    this.#refreshing ??= this.#readAndAnnounce().finally(() => {
      this.#refreshing = undefined;
    });
    await this.#refreshing;
  }

  async #readAndAnnounce(): Promise<void> {
    try {
      this.#snapshot = await this.#read();
    } catch (error) {
      this.#logger.warn(
        'The catalog cannot be read; services keep the owners they had',
        error instanceof Error ? error : undefined,
      );
      return;
    }
    await this.#announce();
  }

  async #read(): Promise<DirectorySnapshot> {
    const credentials = await this.#auth.getOwnServiceCredentials();
    const snapshot = new DirectorySnapshot([]);
    const pages = this.#catalog.streamEntities(
      {
        filter: [{ kind: 'component' }, { kind: 'group' }, { kind: 'system' }],
        fields: FIELDS,
      },
      { credentials },
    );
    for await (const page of pages) {
      snapshot.add(page);
    }
    return snapshot;
  }

  async #announce(): Promise<void> {
    const { fingerprint } = this.#snapshot;
    if (fingerprint === this.#announced) {
      return;
    }
    try {
      for (const listener of this.#listeners) {
        await listener();
      }
      this.#announced = fingerprint;
    } catch (error) {
      this.#logger.error(
        'Could not apply catalog changes; retrying at the next refresh',
        error instanceof Error ? error : undefined,
      );
    }
  }
}
