import {
  actorOf,
  assertMatches,
  type Caller,
  ConflictError,
  ForbiddenError,
  InvalidRequestError,
  isMemberOf,
  NotFoundError,
} from '@slipway/service-kit';
import type { ErasedIds } from '../people/ErasedIds.ts';
import type { Project } from '../projects/Project.ts';
import type { Projects } from '../projects/Projects.ts';
import type { EventStore } from '../store/EventStore.ts';
import { type Cohort, cohortsIn } from './Cohort.ts';
import { meetsConditions } from './cohortCondition.ts';
import { FixedLists, type ListChange, type ListedIds } from './FixedLists.ts';
import { type CohortFilters, MOST_COHORTS } from './schemas.ts';
import type { CohortStore } from './storage/CohortStore.ts';

/** Maximum number of insights that a message names. */
const MOST_NAMED = 5;

/** The part of a cohort that users write. */
type CohortContent = Pick<Cohort, 'name' | 'description' | 'filters'>;

/** A cohort, and whether the caller may change it. */
export interface ReadCohort extends Cohort {
  readonly mayChange: boolean;
}

/** Identifies a cohort of a project. */
export interface CohortPlace {
  readonly projectId: string;
  readonly id: number;
}

interface CohortsOptions {
  store: CohortStore;
  projects: Pick<Projects, 'openPeople'>;
  erased: Pick<ErasedIds, 'without'>;
  events: Pick<EventStore, 'applyPeople'>;
  /** Returns the saved insights of a project. */
  insights: (
    projectId: string,
  ) => Promise<readonly { name: string; content: object }[]>;
  /** Groups that may change everything. */
  admins: readonly string[];
  now: () => number;
}

/**
 * Manages cohorts. Everyone who may read a project that shows people can read and create
 * them; only their authors and admins can change them. Only admins can change cohorts that
 * define test accounts.
 */
export class Cohorts {
  readonly #options: CohortsOptions;
  readonly #lists: FixedLists;

  constructor(options: CohortsOptions) {
    this.#options = options;
    this.#lists = new FixedLists(options);
  }

  async list(caller: Caller, projectId: string): Promise<ReadCohort[]> {
    const { store, projects } = this.#options;
    const project = await projects.openPeople(caller, projectId);
    const cohorts = await store.list(project.id);
    return Promise.all(
      cohorts.map(cohort => this.#read(caller, cohort, project)),
    );
  }

  /** @throws NotFoundError */
  async get(caller: Caller, place: CohortPlace): Promise<ReadCohort> {
    const { store, projects } = this.#options;
    const project = await projects.openPeople(caller, place.projectId);
    const cohort = await store.find(project.id, place.id);
    if (!cohort) {
      throw new NotFoundError('Cohort not found');
    }
    return this.#read(caller, cohort, project);
  }

  /**
   * Adds a cohort.
   * @param options.field - the field of the request that contains the conditions.
   * @param options.listed - finds the people of a fixed list, each by one id; undefined for
   *   a cohort with conditions.
   * @throws ConflictError if the project has too many.
   */
  async create(
    caller: Caller,
    projectId: string,
    options: {
      content: CohortContent;
      field?: string;
      listed?: (project: Project) => Promise<ListedIds>;
    },
  ): Promise<ReadCohort> {
    const { content, field, listed } = options;
    const project = await this.#options.projects.openPeople(caller, projectId);
    this.#assertPossible(project, content.filters, field);
    const ids = listed
      ? this.#lists.kept(project.id, await listed(project))
      : [];
    return this.#add(caller, { ...content, projectId: project.id }, ids);
  }

  /** Adds a cohort with the same conditions or people, which the caller may change. */
  async duplicate(caller: Caller, place: CohortPlace): Promise<ReadCohort> {
    const cohort = await this.get(caller, place);
    const name = `${cohort.name.slice(0, 190)} (copy)`;
    const { store } = this.#options;
    const ids = this.#lists.notErased(
      cohort.projectId,
      await store.ids(cohort),
    );
    return this.#add(caller, { ...cohort, name }, ids);
  }

  /**
   * Changes a cohort.
   * @param options.list - the people to add to a fixed list and to remove from it.
   * @param options.ifMatch - the entity tag that the cohort must have, as in `If-Match`.
   * @throws PreconditionFailedError
   */
  async change(
    caller: Caller,
    place: CohortPlace,
    options: {
      content: Partial<CohortContent>;
      field?: string;
      list?: ListChange;
      ifMatch?: string;
    },
  ): Promise<ReadCohort> {
    const { store, projects, now } = this.#options;
    const { content, field, list, ifMatch } = options;
    const cohort = await this.#open(caller, place, ifMatch);
    if (content.filters && !cohort.filters) {
      throw new InvalidRequestError('A fixed list has no filters', {
        field: 'filters',
        constraint: 'unsupported',
      });
    }
    const project = await projects.openPeople(caller, place.projectId);
    this.#assertPossible(project, content.filters, field);
    const moved = list && (await this.#lists.change(cohort, list));
    const gained = moved ? moved.added.length - moved.removed.length : 0;
    const changed = {
      ...cohort,
      ...content,
      ...(cohort.listed !== undefined && { listed: cohort.listed + gained }),
      updatedAt: now(),
    };
    return (await store.replace(changed, moved))
      ? { ...changed, version: cohort.version + 1 }
      : // Another edit came in between: retry, so that this one is compared with it.
        this.change(caller, place, options);
  }

  /** @throws ConflictError naming the filters of test accounts or the saved insights that use the cohort. */
  async remove(
    caller: Caller,
    place: CohortPlace,
    options: { ifMatch?: string },
  ): Promise<void> {
    const { store, projects, insights } = this.#options;
    const cohort = await this.#open(caller, place, options.ifMatch);
    const project = await projects.openPeople(caller, place.projectId);
    if (definesTestAccounts(project, cohort)) {
      throw new ConflictError('The filters of test accounts use the cohort');
    }
    const users = (await insights(cohort.projectId))
      .filter(({ content }) => cohortsIn(content).includes(String(cohort.id)))
      .map(({ name }) => name);
    if (users.length > 0) {
      const more = users.length - MOST_NAMED;
      const names = users.slice(0, MOST_NAMED).join(', ');
      throw new ConflictError(
        `Saved insights use the cohort: ${names}${
          more > 0 ? ` and ${more} more` : ''
        }`,
      );
    }
    if (!(await store.remove(cohort))) {
      await this.remove(caller, place, options);
    }
  }

  /** @throws InvalidRequestError if queries could not evaluate the conditions. */
  #assertPossible(
    { id, calendar }: Project,
    filters: CohortFilters | undefined,
    field: string | undefined,
  ): void {
    if (filters) {
      const now = this.#options.now();
      meetsConditions(filters, { projectId: id, calendar, now, field });
    }
  }

  async #add(
    caller: Caller,
    cohort: CohortContent & Pick<Cohort, 'projectId'>,
    ids: readonly string[],
  ): Promise<ReadCohort> {
    const { store, now } = this.#options;
    const at = now();
    const added = await store.add(
      {
        projectId: cohort.projectId,
        name: cohort.name,
        description: cohort.description,
        ...(cohort.filters && { filters: cohort.filters }),
        version: 1,
        createdAt: at,
        createdBy: actorOf(caller),
        updatedAt: at,
      },
      { ids, limit: MOST_COHORTS },
    );
    if (!added) {
      throw new ConflictError(
        `A project may have ${MOST_COHORTS} cohorts; delete some first`,
      );
    }
    return { ...added, mayChange: true };
  }

  async #open(
    caller: Caller,
    place: CohortPlace,
    ifMatch: string | undefined,
  ): Promise<ReadCohort> {
    const cohort = await this.get(caller, place);
    if (!cohort.mayChange) {
      throw new ForbiddenError(
        'Only its author and admins may change it; while the filters of test accounts use it, only admins may',
      );
    }
    assertMatches(ifMatch, { tags: [tagOf(cohort)], what: 'The cohort' });
    return cohort;
  }

  async #read(
    caller: Caller,
    cohort: Cohort,
    project: Project,
  ): Promise<ReadCohort> {
    const isOwn = cohort.createdBy === actorOf(caller);
    const mayChange =
      (isOwn && !definesTestAccounts(project, cohort)) ||
      (await isMemberOf(caller, this.#options.admins));
    return { ...cohort, mayChange };
  }
}

/** Returns the ETag of a cohort. */
export function tagOf({ version }: Pick<Cohort, 'version'>): string {
  return `"${version}"`;
}

/** Checks whether the filters of a project's test accounts use a cohort. */
function definesTestAccounts(
  { testAccountFilters }: Project,
  { id }: Pick<Cohort, 'id'>,
): boolean {
  return cohortsIn(testAccountFilters).includes(String(id));
}
