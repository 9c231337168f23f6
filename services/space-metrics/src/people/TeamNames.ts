import { InvalidRequestError } from '@slipway/service-kit';
import type { CatalogPeopleDirectory } from './CatalogPeopleDirectory.ts';

/** Names that no catalog knows: more are most likely made up. */
const MOST_UNKNOWN = 1_000;

/** The teams that submissions may name. */
export class TeamNames {
  readonly #directory: Pick<CatalogPeopleDirectory, 'everyone'>;
  readonly #recorded: () => Promise<readonly string[]>;
  #known?: Promise<ReadonlySet<string>>;
  readonly #admitted = new Set<string>();

  /** @param options.recorded - reads the teams that anything is recorded of. */
  constructor(options: {
    directory: Pick<CatalogPeopleDirectory, 'everyone'>;
    recorded: () => Promise<readonly string[]>;
  }) {
    this.#directory = options.directory;
    this.#recorded = options.recorded;
  }

  /**
   * Takes any name while there are few; later those that something is recorded of, or
   * that the catalog knows. Counted by this process: of several, each admits some.
   *
   * @throws InvalidRequestError for one name too many.
   */
  async assertKnown(team: string): Promise<void> {
    if (this.#admitted.has(team)) {
      return;
    }
    const known = await this.#read();
    if (known.has(team) || this.#admitted.has(team)) {
      return;
    }
    if (
      known.size + this.#admitted.size >= MOST_UNKNOWN &&
      !(await this.#isInCatalog(team))
    ) {
      throw new InvalidRequestError(
        `team '${team}' is not in the catalog, and no more teams are taken that are not`,
        { field: 'team', constraint: 'enum' },
      );
    }
    this.#admitted.add(team);
  }

  #read(): Promise<ReadonlySet<string>> {
    this.#known ??= this.#recorded().then(teams => new Set(teams));
    this.#known.catch(() => {
      this.#known = undefined;
    });
    return this.#known;
  }

  async #isInCatalog(team: string): Promise<boolean> {
    const everyone = (await this.#directory.everyone()) ?? [];
    return everyone.some(entry => entry.team === team);
  }
}
