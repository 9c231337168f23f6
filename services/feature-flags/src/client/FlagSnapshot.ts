import type { FlagDelta, FlagStore } from '../storage/FlagStore.ts';
import type { Flag } from '../model/Flag.ts';

/** A flag as it is kept for clients. */
export interface ClientFlag {
  readonly name: string;
  readonly project: string;
  /** The flag as it stands in answers, serialised once for each change. */
  readonly json: string;
}

/**
 * All flags of one environment in memory, as of one revision. It follows the store by
 * what changed alone, which is also what a stream of changes would send.
 */
export class FlagSnapshot {
  readonly #store: Pick<FlagStore, 'changedSince'>;
  #flags = new Map<string, ClientFlag>();
  readonly #archived = new Set<string>();
  #revision = -1;
  #lineage = '';
  #reading: Promise<void> | undefined;
  #next: Promise<void> | undefined;

  constructor(store: Pick<FlagStore, 'changedSince'>) {
    this.#store = store;
  }

  /** How often flags were changed before what is here. */
  get revision(): number {
    return this.#revision;
  }

  /** The id of the database that the revision counts in. */
  get lineage(): string {
    return this.#lineage;
  }

  /** Lists the flags by name. */
  flags(): readonly ClientFlag[] {
    return [...this.#flags.values()].sort((one, other) =>
      one.name < other.name ? -1 : 1,
    );
  }

  /** Tells whether there is a flag of that name, archived ones included. */
  has(name: string): boolean {
    return this.#flags.has(name) || this.#archived.has(name);
  }

  /** Tells whether a flag in use belongs to none of the projects; `*` is all of them. */
  isOutside(name: string, projects: readonly string[]): boolean {
    const flag = this.#flags.get(name);
    return (
      flag !== undefined &&
      !projects.includes('*') &&
      !projects.includes(flag.project)
    );
  }

  /**
   * Follows everything that was on disk when it was called. Calls that wait for the
   * same reading share one.
   */
  refresh(): Promise<void> {
    if (!this.#reading) {
      this.#reading = this.#read().finally(() => {
        this.#reading = undefined;
      });
      return this.#reading;
    }
    // The reading under way may have missed what the caller has just written.
    this.#next ??= this.#reading
      .catch(() => {})
      .then(() => {
        this.#next = undefined;
        return this.refresh();
      });
    return this.#next;
  }

  async #read(): Promise<void> {
    const delta = await this.#store.changedSince(this.#revision);
    const isOther = delta.lineage !== this.#lineage;
    if (isOther && this.#lineage !== '') {
      // Another database, e.g. one restored from a backup: what is here counts for nothing.
      this.#flags = new Map();
      this.#archived.clear();
      this.#apply(await this.#store.changedSince(-1));
      return;
    }
    this.#apply(delta);
  }

  #apply({ flags, revision, lineage }: FlagDelta): void {
    flags.forEach(flag => this.#put(flag));
    this.#lineage = lineage;
    this.#revision = revision;
  }

  #put(flag: Flag): void {
    if (flag.archivedAt === null) {
      const { name, project } = flag;
      const json = JSON.stringify(presentToClient(flag));
      this.#flags.set(name, { name, project, json });
      this.#archived.delete(name);
    } else {
      this.#flags.delete(flag.name);
      this.#archived.add(flag.name);
    }
  }
}

/** A flag as SDKs read it. */
function presentToClient(flag: Flag) {
  const { name, type, project, enabled, stale, impressionData } = flag;
  return {
    name,
    type,
    project,
    enabled,
    stale,
    impressionData,
    description: flag.description,
    strategies: flag.strategies.map(strategy => ({
      name: strategy.name,
      parameters: strategy.parameters,
      constraints: strategy.constraints ?? [],
    })),
    variants: flag.variants,
  };
}
