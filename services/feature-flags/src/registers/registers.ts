import { ConflictError, NotFoundError } from '@slipway/service-kit';
import type {
  ContextField,
  Environment,
  Project,
  TagType,
} from '../model/Registers.ts';
import type { Authorship, RegisterStore } from '../storage/RegisterStore.ts';

interface RegisterOptions<T extends object> {
  store: RegisterStore<T>;
  /** The name of the kind in messages: `Project`. */
  title: string;
  now: () => number;
  /** Called after each commit; refreshes the state in memory. */
  onChanged: () => Promise<void>;
}

/** Named records of one kind, such as projects or environments. */
class Register<T extends object> {
  readonly #options: RegisterOptions<T>;

  constructor(options: RegisterOptions<T>) {
    this.#options = options;
  }

  list(): Promise<T[]> {
    return this.#options.store.list();
  }

  /** Returns a record. @throws NotFoundError */
  async get(key: string): Promise<T> {
    return (await this.#options.store.find(key)) ?? this.#fail(key);
  }

  /** Creates a record. @throws ConflictError if the name is taken. */
  async create(record: T, by: string): Promise<T> {
    const { store, title } = this.#options;
    if (!(await store.insert(record, this.#author(by)))) {
      throw new ConflictError(`${title} ${store.keyOf(record)} exists`, {
        field: 'name',
        constraint: 'unique',
      });
    }
    await this.#options.onChanged();
    return record;
  }

  /** Creates a record if it does not exist. */
  async ensure(record: T, by: string): Promise<void> {
    const { store } = this.#options;
    if (!(await store.find(store.keyOf(record)))) {
      await store.insert(record, this.#author(by));
      await this.#options.onChanged();
    }
  }

  /** Changes the given fields. @throws NotFoundError */
  async update(key: string, changes: Partial<T>, by: string): Promise<T> {
    const { store } = this.#options;
    const updated = await store.update(
      key,
      record => ({ ...record, ...changes }),
      this.#author(by),
    );
    await this.#options.onChanged();
    return updated ?? this.#fail(key);
  }

  /** Deletes a record. @throws NotFoundError; ConflictError if it is in use. */
  async remove(key: string, by: string): Promise<T> {
    const { store } = this.#options;
    const removed = await store.remove(key, this.#author(by));
    await this.#options.onChanged();
    return removed ?? this.#fail(key);
  }

  #author(by: string): Authorship {
    return { by, now: this.#options.now() };
  }

  #fail(key: string): never {
    throw new NotFoundError(`${this.#options.title} ${key} not found`);
  }
}

export type Environments = Register<Environment>;
export type Projects = Register<Project>;
export type ContextFields = Register<ContextField>;
export type TagTypes = Register<TagType>;

/** The registers of the service. */
export interface Registers {
  readonly environments: Environments;
  readonly projects: Projects;
  readonly contextFields: ContextFields;
  readonly tagTypes: TagTypes;
}

/** Creates the registers of the service on their stores. */
export function openRegisters(
  stores: {
    environments: RegisterStore<Environment>;
    projects: RegisterStore<Project>;
    contextFields: RegisterStore<ContextField>;
    tagTypes: RegisterStore<TagType>;
  },
  { now, onChanged }: { now: () => number; onChanged: () => Promise<void> },
): Registers {
  const { environments, projects, contextFields, tagTypes } = stores;
  return {
    environments: new Register({
      store: environments,
      title: 'Environment',
      now,
      onChanged,
    }),
    projects: new Register({
      store: projects,
      title: 'Project',
      now,
      onChanged,
    }),
    contextFields: new Register({
      store: contextFields,
      title: 'Context field',
      now,
      onChanged,
    }),
    tagTypes: new Register({
      store: tagTypes,
      title: 'Tag type',
      now,
      onChanged,
    }),
  };
}
