import { ConflictError } from '@backstage/errors';
import { Caller } from '@slipway/portal-kit';
import { v7 as uuidv7 } from 'uuid';
import {
  chooseStarterProject,
  DevfileLoader,
  generateWorkspaceName,
  LoadedDevfile,
} from '../devfile';
import { WorkspaceRuntime } from '../runtimes/WorkspaceRuntime';
import { LimitGuard } from './policy';
import { defaultNamespace, NamespaceGuard } from './policy';
import { CreateWorkspace } from './schemas';
import { Workspace } from './Workspace';
import { WorkspaceStore } from './storage/WorkspaceStore';

/** What {@link WorkspaceCreation} works with. */
interface WorkspaceCreationOptions {
  store: WorkspaceStore;
  devfiles: DevfileLoader;
  runtime: WorkspaceRuntime;
  limits: LimitGuard;
  now(): Date;
}

/** How often a generated name is tried again when chance repeats one. */
const NAME_ATTEMPTS = 5;

/** Makes the records of new workspaces, from a devfile and within the caller's limits. */
export class WorkspaceCreation {
  readonly #options: WorkspaceCreationOptions;
  readonly #namespaces: NamespaceGuard;

  constructor(options: WorkspaceCreationOptions) {
    this.#options = options;
    this.#namespaces = new NamespaceGuard(options);
  }

  /**
   * Records a workspace that is Starting.
   *
   * @throws NotAllowedError when the namespace is another's or a limit is reached.
   * @throws InputError when the devfile cannot be read or is invalid.
   * @throws ConflictError when the namespace has a workspace of that name.
   */
  async create(caller: Caller, request: CreateWorkspace): Promise<Workspace> {
    // First, so that whoever may not be there learns nothing of the devfile.
    await this.#namespaces.check(
      caller,
      request.namespace ?? defaultNamespace(caller),
    );
    const loaded = await this.#load(request);
    return this.#options.limits.within(caller.ref, 'create', () =>
      this.#insert(caller, request, loaded),
    );
  }

  async #load(request: CreateWorkspace): Promise<LoadedDevfile> {
    const { devfileUrl, starterProject } = request;
    const loaded = await this.#options.devfiles.load(devfileUrl);
    return starterProject
      ? {
          ...loaded,
          devfile: chooseStarterProject(loaded.devfile, starterProject),
        }
      : loaded;
  }

  async #insert(
    caller: Caller,
    request: CreateWorkspace,
    loaded: LoadedDevfile,
  ): Promise<Workspace> {
    for (let attempt = 1; ; attempt += 1) {
      const workspace = this.#draft(caller, request, loaded);
      try {
        await this.#namespaces.checkPlace(workspace);
        await this.#options.store.insert(workspace);
        return workspace;
      } catch (error) {
        const retry = !request.name && attempt < NAME_ATTEMPTS;
        if (!(error instanceof ConflictError) || !retry) {
          throw error;
        }
      }
    }
  }

  /** A workspace as it begins, with a new id and, unless the request has one, a new name. */
  #draft(
    caller: Caller,
    request: CreateWorkspace,
    { devfile, warnings }: LoadedDevfile,
  ): Workspace {
    const now = this.#options.now().toISOString();
    return {
      id: `workspace-${uuidv7()}`,
      owner: caller.ref,
      namespace: request.namespace ?? defaultNamespace(caller),
      name: request.name ?? generateWorkspaceName(devfile.metadata.name),
      status: 'Starting',
      failed: false,
      statusMessage: null,
      devfileUrl: request.devfileUrl,
      devfileName: devfile.metadata.name,
      devfileVersion: devfile.metadata.version,
      devfile,
      editor: null,
      steps: [],
      warnings: [
        ...warnings.map(({ path, message }) => `${path}: ${message}`),
        ...this.#options.runtime.unsupported(devfile),
      ],
      createdAt: now,
      startedAt: null,
      lastUsedAt: now,
      extendedUntil: null,
      unusedNoticeAt: null,
    };
  }
}
