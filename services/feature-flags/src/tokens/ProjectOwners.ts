import {
  type Caller,
  ForbiddenError,
  isMemberOf,
  type PortalClient,
  PortalAnswerError,
  UnavailableError,
} from '@slipway/service-kit';
import type { Project } from '../model/Registers.ts';

/** What the catalog said is used for so long. */
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
 * Knows who may change which flags: admins all of them, others those of the projects that
 * are theirs. A project names its owner here, where admins alone can; the catalog, into
 * which everybody may register components, says only who owns a component that is named.
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

  /** Tells whether a caller may change everything; of tokens, those of admins alone come here. */
  async isAdmin(caller: Caller): Promise<boolean> {
    return caller.kind === 'bearer' || isMemberOf(caller, this.#options.admins);
  }

  /** @throws ForbiddenError for who may not change a flag, and for a flag that is not there. */
  async assertOwnsFlag(caller: Caller, flag: string): Promise<void> {
    if (!(await this.isAdmin(caller))) {
      const project = this.#options.projectOf(flag);
      await this.assertOwnsProject(caller, project ?? '');
    }
  }

  /** @throws ForbiddenError */
  async assertOwnsProject(caller: Caller, id: string): Promise<void> {
    if (await this.isAdmin(caller)) {
      return;
    }
    const projects = await this.#options.projects();
    const project = projects.find(each => each.id === id);
    if (!project || !(await this.#owns(caller, project))) {
      throw new ForbiddenError(
        'Flags are changed by the owner of their project and by admins',
      );
    }
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
