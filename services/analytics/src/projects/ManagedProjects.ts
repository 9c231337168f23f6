import { ConflictError, InvalidRequestError } from '@slipway/service-kit';
import type { ProjectConfig } from '../config.ts';
import type { FilterScope } from '../query/cohortFilters.ts';
import type { PropertyFilter } from '../query/filterSchemas.ts';
import { tellsWho } from '../query/hidePeople.ts';
import { withoutTestAccounts } from '../query/QueryContext.ts';
import type { Clock } from '../query/readPeriod.ts';
import { UTC } from '../query/time/zones.ts';
import type { Project, ProjectChanges } from './Project.ts';
import type { Projects } from './Projects.ts';
import type { CredentialStore } from './storage/CredentialStore.ts';
import type { ProjectStore } from './storage/ProjectStore.ts';

interface ManagedProjectsOptions {
  store: ProjectStore;
  credentials: CredentialStore;
  projects: Projects;
  /** Deletes the events of a project. */
  deleteEvents: (projectId: string) => Promise<void>;
  /** Returns the cohorts that filters refer to. */
  cohorts: (
    projectId: string,
    filters: readonly PropertyFilter[],
    clock: Clock,
  ) => Promise<FilterScope['cohorts']>;
  now: () => number;
}

/** Creates, changes and deletes projects. */
export class ManagedProjects {
  readonly #options: ManagedProjectsOptions;

  constructor(options: ManagedProjectsOptions) {
    this.#options = options;
  }

  /**
   * Creates a project with the default settings, and returns it.
   * @param createdBy - entity reference of the admin.
   * @throws ConflictError if the id is taken.
   */
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
   * Changes settings of a project, and returns the project with them.
   * @throws NotFoundError
   * @throws ConflictError if the configuration declares the project and these settings.
   * @throws InvalidRequestError if queries could not apply the new test account filters.
   */
  async change(id: string, changes: ProjectChanges): Promise<Project> {
    const { store, projects } = this.#options;
    const project = await projects.get(id);
    if (Object.keys(changes).length === 0) {
      return project;
    }
    await this.#assertApplicable(project, changes);
    if (!(await store.change(project.id, changes))) {
      throw new ConflictError(
        `The project ${project.id} is defined in the configuration; change it there`,
      );
    }
    return projects.get(project.id);
  }

  /**
   * Checks that queries could apply the new test account filters.
   * @throws InvalidRequestError otherwise.
   */
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
   * Deletes a project with its keys, tokens and events. If deleting the events fails, the
   * project remains, but without keys and tokens, and the deletion can be retried.
   * @throws NotFoundError
   * @throws ConflictError if the project is declared in the configuration.
   */
  async delete(id: string): Promise<void> {
    const { store, credentials, projects, deleteEvents } = this.#options;
    const project = await projects.get(id);
    await store.close(project.id);
    credentials.forget();
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
