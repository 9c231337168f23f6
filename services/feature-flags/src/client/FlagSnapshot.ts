import { UnavailableError } from '@slipway/service-kit';
import type { FlagDelta, FlagStore } from '../storage/FlagStore.ts';
import type { SegmentStore } from '../storage/SegmentStore.ts';
import { type Flag, revisionOf, type Segment, stateOf } from '../model/Flag.ts';
import type { ScopeQuery } from './scopeQuery.ts';

interface SnapshotStores {
  flags: Pick<FlagStore, 'changedSince'>;
  segments: Pick<SegmentStore, 'list'>;
}

/** A flag that has left the scope of a query, for another project. */
interface DepartedFlag {
  readonly name: string;
  /** The project that it has left. */
  readonly project: string;
  /** The revision of its move. */
  readonly revision: number;
}

/** The flags visible to one query. */
export interface ScopedFlags {
  /** The revision of the latest change in this scope. */
  readonly revision: number;
  /** The flags that are not archived, sorted by name. */
  readonly flags: readonly Flag[];
  readonly archived: readonly Flag[];
  readonly departed: readonly DepartedFlag[];
  readonly segments: ReadonlyMap<number, Segment>;
}

/** Everything read from one database. */
interface Contents {
  readonly lineage: string;
  revision: number;
  /** The revision of the latest permanent deletion of flags. */
  readonly deletion: number;
  readonly inUse: Map<string, Flag>;
  readonly archived: Map<string, Flag>;
  segments: ReadonlyMap<number, Segment>;
}

/**
 * All flags and segments in memory, as of one revision. It is updated incrementally with
 * the changes, which are also sent to streams.
 */
export class FlagSnapshot {
  readonly #stores: SnapshotStores;
  #contents: Contents | undefined;
  #sorted: readonly Flag[] | undefined;
  #reading: Promise<void> | undefined;
  #next: Promise<void> | undefined;
  readonly #listeners = new Set<() => void>();

  constructor(stores: SnapshotStores) {
    this.#stores = stores;
  }

  /** False while flags are being loaded. */
  get isLoaded(): boolean {
    return this.#contents !== undefined;
  }

  /** The revision of flags and segments in memory. */
  get revision(): number {
    return this.#read().revision;
  }

  /** The revision of the latest permanent deletion; changes since an earlier revision are unknown. */
  get deletion(): number {
    return this.#read().deletion;
  }

  /** The id of the database to which the revision belongs. */
  get lineage(): string {
    return this.#read().lineage;
  }

  /** Checks whether a flag of that name exists, including archived ones. */
  has(name: string): boolean {
    const { inUse, archived } = this.#read();
    return inUse.has(name) || archived.has(name);
  }

  /** Finds a flag in use. */
  find(name: string): Flag | undefined {
    return this.#read().inUse.get(name);
  }

  /** Returns the project of a flag, including an archived one. */
  projectOf(name: string): string | undefined {
    const { inUse, archived } = this.#read();
    return (inUse.get(name) ?? archived.get(name))?.project;
  }

  /** The segments by id. */
  get segments(): ReadonlyMap<number, Segment> {
    return this.#read().segments;
  }

  /** Checks whether a flag in use belongs to none of the projects; `*` means all. */
  isOutside(name: string, projects: readonly string[]): boolean {
    const flag = this.find(name);
    return (
      flag !== undefined &&
      !projects.includes('*') &&
      !projects.includes(flag.project)
    );
  }

  /** Lists the flags in use that belong to any of the projects, by name; `*` means all. */
  inProjects(projects: readonly string[]): Flag[] {
    return this.#list().filter(
      ({ project }) => projects.includes('*') || projects.includes(project),
    );
  }

  /** Returns the flags visible to a query. @throws UnavailableError while flags are being loaded. */
  select(query: ScopeQuery): ScopedFlags {
    const { inUse, archived, segments, revision } = this.#read();
    const flags = this.#list().filter(flag => query.includes(flag));
    const gone = [...archived.values()].filter(flag => query.includes(flag));
    const departed = [...inUse.values(), ...archived.values()].flatMap(flag =>
      departuresOf(flag, query),
    );
    const revisions = [
      ...[...flags, ...gone].map(flag => revisionOf(flag, query.environment)),
      ...departed.map(each => each.revision),
    ];
    const used = new Map(
      flags
        .flatMap(flag => segmentsOf(flag, query.environment))
        .sort((one, other) => one - other)
        .flatMap(id => {
          const segment = segments.get(id);
          return segment ? [[id, segment] as const] : [];
        }),
    );
    const latest = [...used.values()].reduce(
      (most, segment) => Math.max(most, segment.revision),
      revisions.reduce((most, each) => Math.max(most, each), 0),
    );
    return {
      // A row may be newer than the revision that was read before it.
      revision: Math.min(latest, revision),
      flags,
      archived: gone,
      departed,
      segments: used,
    };
  }

  /** Registers a listener for changes. @returns a function that removes it. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Reads everything that was stored before the call. Concurrent calls share one read. */
  refresh(): Promise<void> {
    if (!this.#reading) {
      this.#reading = this.#follow().finally(() => {
        this.#reading = undefined;
      });
      return this.#reading;
    }
    // The current read may have missed what the caller has just written.
    this.#next ??= this.#reading
      .catch(() => {})
      .then(() => {
        this.#next = undefined;
        return this.refresh();
      });
    return this.#next;
  }

  /** Lists the flags in use, by name. */
  #list(): readonly Flag[] {
    const { inUse } = this.#read();
    this.#sorted ??= [...inUse.values()].sort((one, other) =>
      one.name < other.name ? -1 : 1,
    );
    return this.#sorted;
  }

  /** Returns the contents. @throws UnavailableError while they are loading: SDKs then keep their flags. */
  #read(): Contents {
    if (!this.#contents) {
      throw new UnavailableError('Flags are being loaded', {
        retryAfterSeconds: 1,
      });
    }
    return this.#contents;
  }

  async #follow(): Promise<void> {
    const known = this.#contents;
    const delta = await this.#stores.flags.changedSince(known?.revision ?? -1);
    const continues =
      known?.lineage === delta.lineage && delta.revision >= known.revision;
    if (known && continues && delta.deletion <= known.revision) {
      await this.#apply(known, delta);
      return;
    }
    if (!continues) {
      // A different database, e.g. restored from a backup: the state in memory is discarded.
      this.#contents = undefined;
    }
    const all = known ? await this.#stores.flags.changedSince(-1) : delta;
    await this.#apply(
      {
        lineage: all.lineage,
        revision: -1,
        deletion: all.deletion,
        inUse: new Map(),
        archived: new Map(),
        segments: new Map(),
      },
      all,
    );
  }

  async #apply(contents: Contents, delta: FlagDelta): Promise<void> {
    if (contents.revision === delta.revision) {
      this.#contents = contents;
      return;
    }
    const segments = await this.#stores.segments.list();
    contents.segments = new Map(segments.map(segment => [segment.id, segment]));
    for (const flag of delta.flags) {
      const isInUse = flag.archivedAt === null;
      contents.inUse.delete(flag.name);
      contents.archived.delete(flag.name);
      contents[isInUse ? 'inUse' : 'archived'].set(flag.name, flag);
    }
    contents.revision = delta.revision;
    this.#contents = contents;
    this.#sorted = undefined;
    this.#listeners.forEach(listener => listener());
  }
}

/** Returns the latest move of a flag out of the scope of a query; nothing if it is in scope, or never was. */
function departuresOf(flag: Flag, query: ScopeQuery): DepartedFlag[] {
  const { name, revisions } = flag;
  const moves = Object.entries(revisions.left ?? {});
  if (moves.length === 0 || query.includes(flag)) {
    return [];
  }
  return moves
    .filter(([project]) => query.includes({ ...flag, project }))
    .map(([project, revision]) => ({ name, project, revision }))
    .sort((one, other) => other.revision - one.revision)
    .slice(0, 1);
}

/** Lists the ids of the segments used by a flag's strategies. */
export function segmentsOf(flag: Flag, environment: string): number[] {
  return stateOf(flag, environment)
    .strategies.filter(({ disabled }) => !disabled)
    .flatMap(({ segments = [] }) => segments);
}
