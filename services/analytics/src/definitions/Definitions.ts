import { actorOf, type Caller, NotFoundError } from '@slipway/service-kit';
import type { Projects } from '../projects/Projects.ts';
import type {
  Definition,
  DefinitionKind,
  DefinitionNotes,
  DefinitionQuery,
} from './Definition.ts';
import type { DefinitionStore } from './storage/DefinitionStore.ts';
import { countUses } from './usage.ts';

/** A definition, and how many saved insights use it. */
export interface UsedDefinition extends Definition {
  readonly uses: number;
}

/** Lists the events and properties of projects; those who may read a project write notes on them. */
export class Definitions {
  readonly #options: {
    store: DefinitionStore;
    projects: Pick<Projects, 'open'>;
    /** Returns the queries of a project's saved insights. */
    savedQueries: (projectId: string) => Promise<readonly object[]>;
    now: () => number;
  };

  constructor(options: {
    store: DefinitionStore;
    projects: Pick<Projects, 'open'>;
    savedQueries: (projectId: string) => Promise<readonly object[]>;
    now: () => number;
  }) {
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
  async change(
    caller: Caller,
    place: { projectId: string; id: string; isEvent: boolean },
    notes: Partial<DefinitionNotes>,
  ): Promise<UsedDefinition> {
    const { store, projects, now } = this.#options;
    const project = await projects.open(caller, place.projectId);
    const at = now();
    const found = await store.find(project.id, place.id, at);
    if (!found || (found.kind === 'event') !== place.isEvent) {
      throw new NotFoundError(
        `${place.isEvent ? 'Event' : 'Property'} not found`,
      );
    }
    const changed = {
      ...found,
      ...notes,
      changedAt: at,
      changedBy: actorOf(caller),
    };
    await store.annotate(changed);
    const [used] = await this.#withUses(project.id, [changed]);
    return used;
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

/** Returns the kind of a property by what has it. */
export function kindOfProperty(owner: 'event' | 'person'): DefinitionKind {
  return `${owner}_property`;
}
