import {
  type Caller,
  ForbiddenError,
  InvalidRequestError,
  isMemberOf,
  type PortalClient,
  PortalAnswerError,
  UnavailableError,
} from '@slipway/service-kit';
import type { Project } from '../model/Registers.ts';

/** How long responses of the catalog are cached, in milliseconds. */
const KEPT_MS = 15_000;

interface OwnerOptions {
  /** Groups whose members may change everything. */
  admins: readonly string[];
  /** Reads the catalog. */
  portal: Pick<PortalClient, 'get'>;
  projectOf: (flag: string) => string | undefined;
  projects: () => Promise<readonly Project[]>;
  now: () => number;
}

/**
 * Decides who may change which flags: admins may change all, others those of the projects that
 * they own. Only admins can set the owner of a project. The catalog, in which everyone may
 * register components, is only asked for the owner of the component that a project names.
 */
export class ProjectOwners {
  readonly #options: OwnerOptions;
  readonly #kept = new Map<string, { at: number; owners: Promise<string[]> }>();

  constructor(options: OwnerOptions) {
    this.#options = options;
  }

  /** Lists the projects that a caller may change, by id. */
  async ownedBy(caller: Caller): Promise<string[]> {
    const projects = await this.#options.projects();
    if (await this.isAdmin(caller)) {
      return projects.map(({ id }) => id);
    }
    const owned = await Promise.all(
      projects.map(async project =>
        (await this.#owns(caller, project)) ? [project.id] : [],
      ),
    );
    return owned.flat();
  }

  /**
   * Returns a function that maps a flag to the owner of its project, an entity reference; undefined
   * if it has none.
   */
  async ofFlags(): Promise<(flag: string) => string | undefined> {
    const projects = await this.#options.projects();
    const owners = new Map(projects.map(({ id, owner }) => [id, owner]));
    return flag => owners.get(this.#options.projectOf(flag) ?? '') ?? undefined;
  }

  /** Checks whether a caller may change everything; callers with a token have an admin token here. */
  async isAdmin(caller: Caller): Promise<boolean> {
    return caller.kind === 'bearer' || isMemberOf(caller, this.#options.admins);
  }

  /** Checks that a caller may change a flag. @throws ForbiddenError, also if the flag does not exist. */
  async assertOwnsFlag(caller: Caller, flag: string): Promise<void> {
    if (!(await this.isAdmin(caller))) {
      const project = this.#options.projectOf(flag);
      await this.assertOwnsProject(caller, project ?? '');
    }
  }

  /** Checks that a caller may change the flags of a project. @throws ForbiddenError */
  async assertOwnsProject(caller: Caller, id: string): Promise<void> {
    if (await this.isAdmin(caller)) {
      return;
    }
    const projects = await this.#options.projects();
    const project = projects.find(each => each.id === id);
    if (!project || !(await this.#owns(caller, project))) {
      throw new ForbiddenError(
        'Only the owner of its project and admins can change a flag',
      );
    }
  }

  /**
   * Checks that a caller may move flags to a project.
   *
   * @throws InvalidRequestError if it does not exist, ForbiddenError
   */
  async assertMayMoveTo(caller: Caller, id: string): Promise<void> {
    const projects = await this.#options.projects();
    if (!projects.some(each => each.id === id)) {
      throw new InvalidRequestError(`Project ${id} not found`, {
        field: 'newProjectId',
        constraint: 'enum',
      });
    }
    await this.assertOwnsProject(caller, id);
  }

  async #owns(caller: Caller, { owner }: Project): Promise<boolean> {
    return owner !== null && isMemberOf(caller, await this.#ownersOf(owner));
  }

  async #ownersOf(ref: string): Promise<string[]> {
    if (/^(?:group|user):/.test(ref)) {
      return [ref];
    }
    const now = this.#options.now();
    const kept = this.#kept.get(ref);
    if (kept && now - kept.at < KEPT_MS) {
      return kept.owners;
    }
    const owners = this.#readOwners(ref);
    this.#kept.set(ref, { at: now, owners });
    owners.catch(() => this.#kept.delete(ref));
    return owners;
  }

  async #readOwners(ref: string): Promise<string[]> {
    const [kind, namespace, name] = ref.split(/[:/]/).map(encodeURIComponent);
    try {
      const { relations = [] } = (await this.#options.portal.get(
        `/api/catalog/entities/by-name/${kind}/${namespace}/${name}`,
      )) as { relations?: { type: string; targetRef: string }[] };
      return relations
        .filter(({ type }) => type === 'ownedBy')
        .map(({ targetRef }) => targetRef);
    } catch (error) {
      if (error instanceof PortalAnswerError && error.status === 404) {
        return [];
      }
      throw new UnavailableError('The catalog is not responding', {
        cause: error,
      });
    }
  }
}
