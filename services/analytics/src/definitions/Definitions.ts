import { actorOf, type Caller, NotFoundError } from '@slipway/service-kit';
import type { Projects } from '../projects/Projects.ts';
import type {
  Definition,
  DefinitionNotes,
  DefinitionQuery,
} from './Definition.ts';
import type { DefinitionStore } from './storage/DefinitionStore.ts';
import { countUses } from './usage.ts';

/** A definition, and how many saved insights use it. */
export interface UsedDefinition extends Definition {
  readonly uses: number;
}

/** Identifies a definition in a request. */
interface Place {
  readonly projectId: string;
  readonly id: string;
  /** False for a property. */
  readonly isEvent: boolean;
}

interface DefinitionsOptions {
  store: DefinitionStore;
  projects: Pick<Projects, 'open'>;
  /** Returns the queries of a project's saved insights. */
  savedQueries: (projectId: string) => Promise<readonly object[]>;
  now: () => number;
}

/** Lists the events and properties of projects, with the notes that readers of a project write. */
export class Definitions {
  readonly #options: DefinitionsOptions;

  constructor(options: DefinitionsOptions) {
    this.#options = options;
  }

  async list(
    caller: Caller,
    projectId: string,
    query: DefinitionQuery,
  ): Promise<{ definitions: UsedDefinition[]; count: number }> {
    const { store, projects, now } = this.#options;
    const { id } = await projects.open(caller, projectId);
    const { definitions, count } = await store.list(id, query, now());
    return { definitions: await this.#withUses(id, definitions), count };
  }

  /** @throws NotFoundError */
  async read(caller: Caller, place: Place): Promise<UsedDefinition> {
    const found = await this.#find(caller, place);
    const [used] = await this.#withUses(found.projectId, [found]);
    return used;
  }

  /** @throws NotFoundError */
  async change(
    caller: Caller,
    place: Place,
    notes: Partial<DefinitionNotes>,
  ): Promise<UsedDefinition> {
    const { store, now } = this.#options;
    const { id } = await this.#find(caller, place);
    await store.annotate(id, notes, { at: now(), by: actorOf(caller) });
    return this.read(caller, place);
  }

  /**
   * Deletes a definition with its notes and counts. The next event creates it again.
   * @throws NotFoundError
   */
  async remove(caller: Caller, place: Place): Promise<void> {
    const { id } = await this.#find(caller, place);
    await this.#options.store.remove(id);
  }

  async #find(
    caller: Caller,
    { projectId, id, isEvent }: Place,
  ): Promise<Definition> {
    const { store, projects, now } = this.#options;
    const project = await projects.open(caller, projectId);
    const found = await store.find(project.id, id, now());
    if (!found || (found.kind === 'event') !== isEvent) {
      throw new NotFoundError(`${isEvent ? 'Event' : 'Property'} not found`);
    }
    return found;
  }

  async #withUses(
    projectId: string,
    definitions: readonly Definition[],
  ): Promise<UsedDefinition[]> {
    const uses = countUses(
      definitions.map(({ name }) => name),
      await this.#options.savedQueries(projectId),
    );
    return definitions.map(each => ({
      ...each,
      uses: uses.get(each.name) ?? 0,
    }));
  }
}
