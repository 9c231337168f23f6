import { createHmac } from 'node:crypto';
import {
  type Caller,
  ConflictError,
  ForbiddenError,
  InvalidRequestError,
  isMemberOf,
  NotFoundError,
} from '@slipway/service-kit';
import type { ProjectConfig } from '../config.ts';
import { type KnownCredentials, projectOfToken } from './KnownCredentials.ts';
import type { Project, ProjectChanges } from './Project.ts';
import type { ProjectStore } from './storage/ProjectStore.ts';
import type { FilterScope } from '../query/cohortFilters.ts';
import type { PropertyFilter } from '../query/filterSchemas.ts';
import { tellsWho } from '../query/hidePeople.ts';
import { withoutTestAccounts } from '../query/QueryContext.ts';
import type { Clock } from '../query/readPeriod.ts';
import { UTC } from '../query/time/zones.ts';

interface ProjectsOptions {
  store: ProjectStore;
  known: KnownCredentials;
  /** Groups that may create projects and keys, and read every project. */
  admins: readonly string[];
  /** Deletes the events of a project. */
  deleteEvents: (projectId: string) => Promise<void>;
  /** Finds the cohorts that filters refer to. */
  cohorts: (
    projectId: string,
    filters: readonly PropertyFilter[],
    clock: Clock,
  ) => Promise<FilterScope['cohorts']>;
  now: () => number;
}

/** The id by which callers refer to the project of their token. */
const CURRENT = '@current';

/** Manages projects. */
export class Projects {
  readonly #options: ProjectsOptions;
  #pseudonymKey: Promise<string> | undefined;

  constructor(options: ProjectsOptions) {
    this.#options = options;
  }

  /** Lists the projects that a user may read. */
  async listFor(caller: Caller): Promise<Project[]> {
    const projects = await this.#options.store.list();
    const mayRead = await Promise.all(
      projects.map(project => this.#mayRead(caller, project)),
    );
    return projects.filter((_, index) => mayRead[index]);
  }

  /**
   * Finds a project for a caller who wants to read it.
   * @param id - `@current` is the project of the caller's token.
   * @throws ForbiddenError
   * @throws NotFoundError
   */
  async open(caller: Caller, id: string): Promise<Project> {
    const own = projectOfToken(caller);
    if (own !== undefined && id !== CURRENT && id !== own) {
      throw new ForbiddenError('The API token belongs to another project');
    }
    const project = await this.get(own ?? id);
    if (own === undefined && !(await this.#mayRead(caller, project))) {
      throw new ForbiddenError('You may not read this project');
    }
    return project;
  }

  /**
   * Finds a project for a caller who wants to see its people.
   * @throws ForbiddenError if the caller may not read it, or it hides who did something.
   * @throws NotFoundError
   */
  async openPeople(caller: Caller, id: string): Promise<Project> {
    const project = await this.open(caller, id);
    if (project.hidesPeople) {
      throw new ForbiddenError('This project only counts people');
    }
    return project;
  }

  /**
   * Asserts that the caller may read a project, before the rest of the request is
   * validated. Accepts unknown projects, which are reported later.
   * @throws ForbiddenError
   */
  async assertMayRead(caller: Caller, id: string): Promise<void> {
    try {
      await this.open(caller, id);
    } catch (error) {
      if (!(error instanceof NotFoundError)) {
        throw error;
      }
    }
  }

  /**
   * Returns the pseudonym of a person in the portal's own events. It is always the same,
   * and does not reveal the person to anyone else.
   * @param userRef - entity reference of the person.
   */
  async pseudonymOf(userRef: string): Promise<string> {
    this.#pseudonymKey ??= this.#options.store.secret('pseudonym-key');
    const key = await this.#pseudonymKey.catch((error: unknown) => {
      this.#pseudonymKey = undefined;
      throw error;
    });
    return createHmac('sha256', key).update(userRef).digest('base64url');
  }

  async #mayRead(caller: Caller, { readers }: Project): Promise<boolean> {
    const { admins } = this.#options;
    return !readers || isMemberOf(caller, [...readers, ...admins]);
  }

  /** Finds a project without checking access. @throws NotFoundError */
  async get(id: string): Promise<Project> {
    const project = await this.#options.store.find(id);
    if (!project) {
      throw new NotFoundError(`Project ${id} not found`);
    }
    return project;
  }

  /** @throws ConflictError if the id is taken. */
  async create(
    project: Pick<Project, 'id' | 'name' | 'readers'> &
      Partial<Pick<Project, 'calendar'>>,
    createdBy: string,
  ): Promise<Project> {
    const created = {
      calendar: UTC,
      ...project,
      hidesPeople: false,
      isConfigured: false,
      filtersTestAccounts: false,
      createdAt: this.#options.now(),
    };
    await this.#options.store.create({ ...created, createdBy });
    return created;
  }

  /**
   * @throws NotFoundError
   * @throws ConflictError if the configuration declares the project and the settings to
   *   change.
   */
  async change(id: string, changes: ProjectChanges): Promise<Project> {
    const project = await this.get(id);
    if (Object.keys(changes).length === 0) {
      return project;
    }
    await this.#assertApplicable(project, changes);
    if (!(await this.#options.store.change(project.id, changes))) {
      throw new ConflictError(
        `The project ${project.id} is defined in the configuration; change it there`,
      );
    }
    return this.get(project.id);
  }

  /** @throws InvalidRequestError if queries could not apply the filters. */
  async #assertApplicable(
    { id, calendar, hidesPeople }: Project,
    { testAccountFilters = [] }: ProjectChanges,
  ): Promise<void> {
    const { cohorts: findCohorts, now } = this.#options;
    const clock = { calendar, now: now() };
    const cohorts = await findCohorts(id, testAccountFilters, clock);
    const conditions = withoutTestAccounts(
      { filterTestAccounts: true },
      { testAccountFilters, cohorts, ...clock },
    );
    if (hidesPeople && conditions.some(tellsWho)) {
      throw new InvalidRequestError(
        'test_account_filters cannot identify people in a project that only counts them',
        { field: 'test_account_filters', constraint: 'personal' },
      );
    }
  }

  /**
   * Deletes a project with its keys, tokens and events. If the events cannot be deleted
   * now, the project remains without keys, and deleting it can be retried.
   * @throws NotFoundError
   * @throws ConflictError if the project is declared in the configuration.
   */
  async delete(id: string): Promise<void> {
    const { store, known, deleteEvents } = this.#options;
    const project = await this.get(id);
    await store.close(project.id);
    known.forget();
    await deleteEvents(project.id);
    await store.delete(project.id);
  }

  /** Creates the projects declared in the configuration. */
  async adopt(declared: readonly ProjectConfig[]): Promise<void> {
    const now = this.#options.now();
    await this.#options.store.adopt(
      declared.map(project => ({
        id: project.id,
        name: project.name,
        readers: project.readers,
        origins: project.origins,
        hidesPeople: project.hidesPeople,
        calendar: {
          zone: project.timeZone,
          weekStart: project.weekStart === 'monday' ? 1 : 0,
        },
        ...(project.retentionDays !== undefined && {
          retentionDays: project.retentionDays,
        }),
        createdAt: now,
      })),
    );
  }
}
