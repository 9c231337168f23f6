import { createHmac } from 'node:crypto';
import {
  type Access,
  type Caller,
  ForbiddenError,
  isMemberOf,
  NotFoundError,
  type ServiceApp,
  UnauthenticatedError,
} from '@slipway/service-kit';
import type { FastifyRequest } from 'fastify';
import { READ_SCOPES } from './Credential.ts';
import type { Project } from './Project.ts';
import type { CredentialStore } from './storage/CredentialStore.ts';
import type { ProjectStore } from './storage/ProjectStore.ts';

/** Returns the bearer token of a request. */
export function bearerOf({ headers }: FastifyRequest): string | undefined {
  return /^Bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1];
}

/** The prefix of the scope that contains the id of a token's project. */
const SCOPE = 'project:';

/** Authenticates callers by a project's API token, sent as `Authorization: Bearer`. */
export function apiTokenAccess(credentials: CredentialStore): Access {
  return {
    optional: false,
    ways: [
      {
        authenticator: {
          place: 'header:authorization',
          scheme: {
            name: 'apiToken',
            definition: { type: 'http', scheme: 'bearer' },
          },
          challenge: 'Bearer',
          async authenticate(request, addresses) {
            const token = bearerOf(request);
            if (token === undefined) {
              return undefined;
            }
            const owner = await credentials.find(token, {
              kind: 'query',
              beforeGuess: () => addresses.assertLeft(request),
            });
            if (!owner) {
              throw new UnauthenticatedError('The API token is not valid', {
                challenge: 'Bearer error="invalid_token"',
              });
            }
            const { projectId, credentialId, scopes = READ_SCOPES } = owner;
            return {
              caller: {
                kind: 'bearer',
                id: credentialId,
                scopes: [SCOPE + projectId, ...scopes],
              },
              budget: `token:${credentialId}`,
            };
          },
        },
      },
    ],
  };
}

/** Returns the project id of the caller's token; undefined for users of the portal. */
function projectOfToken(caller: Caller): string | undefined {
  return caller.kind === 'bearer'
    ? caller.scopes.find(scope => scope.startsWith(SCOPE))?.slice(SCOPE.length)
    : undefined;
}

interface ProjectsOptions {
  store: ProjectStore;
  /** Groups that may read every project. */
  admins: readonly string[];
}

/** The id by which callers refer to the project of their token. */
const CURRENT = '@current';

/** Finds projects, and checks which of them callers may read. */
export class Projects {
  readonly #options: ProjectsOptions;
  #pseudonymKey: Promise<string> | undefined;

  constructor(options: ProjectsOptions) {
    this.#options = options;
  }

  /** Returns the projects that a user may read. */
  async listFor(caller: Caller): Promise<Project[]> {
    const projects = await this.#options.store.list();
    const mayRead = await Promise.all(
      projects.map(project => this.#mayRead(caller, project)),
    );
    return projects.filter((_, index) => mayRead[index]);
  }

  /**
   * Returns a project that the caller may read.
   * @param id - `@current` for the project of the caller's token.
   * @throws ForbiddenError if the caller may not read it.
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
   * Returns a project whose people the caller may see.
   * @throws ForbiddenError if the caller may not read it, or it hides people.
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

  /** Returns a project without checking access. @throws NotFoundError */
  async get(id: string): Promise<Project> {
    const project = await this.#options.store.find(id);
    if (!project) {
      throw new NotFoundError(`Project ${id} not found`);
    }
    return project;
  }
}

/**
 * Adds a hook that checks, for every route with `:projectId`, that the caller may read the
 * project. It runs after authentication and before the body is read, so that other callers
 * do not learn what a valid request looks like. The routes themselves report unknown
 * projects.
 */
export function guardProjects(app: ServiceApp, projects: Projects): void {
  app.addHook('preParsing', async ({ params, caller }) => {
    const { projectId } = (params ?? {}) as { projectId?: string };
    if (projectId !== undefined && caller.kind !== 'anonymous') {
      await projects.open(caller, projectId).catch((error: unknown) => {
        if (!(error instanceof NotFoundError)) {
          throw error;
        }
      });
    }
  });
}
