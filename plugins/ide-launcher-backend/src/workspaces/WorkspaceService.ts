import { BackstageCredentials } from '@backstage/backend-plugin-api';
import { ConflictError, NotFoundError } from '@backstage/errors';
import {
  ContractWorkspace,
  DevfilePreview,
  DevfileSample,
  IdeTicket,
  WorkspaceDetails,
  WorkspaceList,
  WorkspaceLogs,
  WorkspaceOptions,
  WorkspaceStatus,
} from '@slipway/plugin-ide-launcher-common';
import { callerOf } from '@slipway/portal-kit';
import { DevfileLoader, RepositoryLoader } from '../devfile';
import { IdeAccessService } from '../ide-gateway/IdeAccessService';
import { isWorkspaceId } from '../runtimes/WorkspaceRuntime';
import { createWorkspace, updateDevfile } from './createWorkspace';
import { extendedUntil } from './expiry';
import {
  assertIsolationAccepted,
  defaultNamespace,
  isolationAcceptance,
  LimitGuard,
  recordAcceptance,
  WorkspaceLimits,
} from './policy';
import {
  PresentationContext,
  presentCreated,
  presentDetails,
  presentListItem,
  presentPreview,
} from './presentation';
import { PreviewLimit } from './PreviewLimit';
import { CreateWorkspace, PreviewRequest, TicketRequest } from './schemas';
import { Workspace } from './Workspace';
import { WorkspaceEvents } from './WorkspaceEvents';
import { WorkspaceLifecycle } from './WorkspaceLifecycle';
import { WorkspaceStore } from './storage/WorkspaceStore';

/** The caller. */
interface CallOptions {
  credentials: BackstageCredentials;
}

/** Dependencies of {@link WorkspaceService}. */
interface WorkspaceServiceOptions extends PresentationContext {
  store: WorkspaceStore;
  lifecycle: WorkspaceLifecycle;
  devfiles: DevfileLoader;
  repositories: RepositoryLoader;
  access: IdeAccessService;
  events: WorkspaceEvents;
  limits: WorkspaceLimits;
  samples: DevfileSample[];
  acceptUnisolated: boolean;
  adminGroups: readonly string[];
  now?: () => Date;
}

const LOG_PAGE_LINES = 1_000;

/**
 * Implements the operations of callers on their workspaces. Another owner's workspace is a
 * NotFoundError, as if it did not exist. The routes' guard checks permissions first.
 */
export class WorkspaceService {
  readonly #options: WorkspaceServiceOptions;
  readonly #limits: LimitGuard;
  readonly #previews = new PreviewLimit();
  readonly #now: () => Date;

  constructor(options: WorkspaceServiceOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => new Date());
    this.#limits = new LimitGuard(options);
  }

  /**
   * Creates a workspace and begins its start, in the background.
   *
   * @throws InputError if the repository or the devfile cannot be read, or is invalid.
   * @throws NotAllowedError if a limit of the caller is reached, or the namespace belongs to another owner.
   * @throws ConflictError if a workspace with that name exists in the namespace.
   */
  async create(
    request: CreateWorkspace,
    { credentials }: CallOptions,
  ): Promise<ContractWorkspace> {
    const { events, lifecycle } = this.#options;
    await assertIsolationAccepted(this.#options);
    const parts = { ...this.#options, limits: this.#limits, now: this.#now };
    const workspace = await createWorkspace(
      parts,
      callerOf(credentials),
      request,
    );
    lifecycle.beginStart(workspace);
    events.changed(workspace, workspace.status, { kind: 'requested' });
    return presentCreated(workspace, this.#options);
  }

  async list(
    filter: { status?: WorkspaceStatus },
    { credentials }: CallOptions,
  ): Promise<WorkspaceList> {
    return this.listOf(callerOf(credentials).ref, filter);
  }

  /** Lists the workspaces of an owner. Callers must be that owner or act on the owner's behalf. */
  async listOf(
    owner: string,
    filter: { status?: WorkspaceStatus } = {},
  ): Promise<WorkspaceList> {
    const found = await this.#options.store.listByOwner(owner, filter);
    return {
      workspaces: found.map(workspace =>
        presentListItem(workspace, this.#options),
      ),
      total: found.length,
    };
  }

  async get(id: string, options: CallOptions): Promise<WorkspaceDetails> {
    return presentDetails(await this.#own(id, options), this.#options);
  }

  /**
   * Starts a workspace, a stopping one once it has stopped; does nothing if it is starting or running.
   *
   * @throws NotAllowedError if a limit of the caller is reached.
   */
  async start(id: string, options: CallOptions): Promise<WorkspaceDetails> {
    const { lifecycle } = this.#options;
    const workspace = await this.#own(id, options);
    if (workspace.status === 'Stopping') {
      await assertIsolationAccepted(this.#options);
      // The limits count it as running until it has stopped, so it only keeps its place.
      lifecycle.startOnceStopped(workspace);
    }
    if (workspace.status === 'Stopped') {
      await assertIsolationAccepted(this.#options);
      // The total does not include an imported workspace before its first start.
      const kind = workspace.importedFrom === null ? 'start' : 'create';
      await this.#limits.within(workspace.owner, kind, () =>
        lifecycle.start(workspace),
      );
    }
    return this.get(id, options);
  }

  /**
   * Reads the devfile of a stopped workspace again, for its next start. Its files are not changed.
   *
   * @throws InputError if the devfile cannot be read, is invalid, or lacks what was chosen from it.
   * @throws ConflictError if the workspace is not stopped.
   */
  async updateDevfile(
    id: string,
    options: CallOptions,
  ): Promise<WorkspaceDetails> {
    const workspace = await this.#own(id, options);
    await updateDevfile(this.#options, workspace);
    this.#options.events.changed(workspace, null, { kind: 'requested' });
    return this.get(id, options);
  }

  /** Stops a workspace; does nothing if it is stopped. */
  async stop(id: string, options: CallOptions): Promise<WorkspaceDetails> {
    const workspace = await this.#own(id, options);
    await this.#options.lifecycle.stop(workspace);
    return this.get(id, options);
  }

  /** Postpones the idle stop. @throws ConflictError if the workspace is not running. */
  async extend(id: string, options: CallOptions): Promise<WorkspaceDetails> {
    const { events, idleTimeoutMinutes, store } = this.#options;
    const workspace = await this.#own(id, options);
    const until = extendedUntil(workspace, idleTimeoutMinutes, this.#now());
    const moved = await store.transition(id, ['Running'], {
      extendedUntil: until.toISOString(),
    });
    if (!moved) {
      throw new ConflictError(
        `${workspace.name} is not running; there is nothing to extend`,
      );
    }
    events.changed(workspace, null, { kind: 'requested' });
    return this.get(id, options);
  }

  async delete(id: string, options: CallOptions): Promise<void> {
    await this.#options.lifecycle.delete(await this.#own(id, options));
  }

  async logs(
    id: string,
    query: { after: number },
    options: CallOptions,
  ): Promise<WorkspaceLogs> {
    await this.#own(id, options);
    const lines = await this.#options.store.log.read(id, {
      after: query.after,
      limit: LOG_PAGE_LINES,
    });
    return { lines, next: lines.at(-1)?.seq ?? query.after };
  }

  /** Issues a one-time URL that opens the IDE. @throws ConflictError if the workspace is not running. */
  async createTicket(
    id: string,
    request: TicketRequest,
    options: CallOptions,
  ): Promise<IdeTicket> {
    const workspace = await this.#own(id, options);
    if (workspace.status !== 'Running') {
      throw new ConflictError(
        `${workspace.name} is ${workspace.status.toLocaleLowerCase(
          'en-US',
        )}; its IDE opens once it runs`,
      );
    }
    return this.#options.access.issueTicket(workspace, request);
  }

  /** Revokes all access to the caller's IDEs; the workspaces keep running. */
  async endSessions({ credentials }: CallOptions): Promise<void> {
    await this.#options.access.revokeOwner(callerOf(credentials).ref);
  }

  /**
   * Reads a devfile, or that of a repository, without creating anything.
   *
   * @throws TooManyPreviewsError if too many previews are in progress; the signal's reason if it aborts.
   */
  async preview(
    request: PreviewRequest,
    { credentials, signal }: CallOptions & { signal: AbortSignal },
  ): Promise<DevfilePreview> {
    const { repositories, runtime } = this.#options;
    const inspection = await this.#previews.within(
      callerOf(credentials).ref,
      () => repositories.inspect(request, signal),
    );
    return presentPreview(inspection, runtime);
  }

  async options({ credentials }: CallOptions): Promise<WorkspaceOptions> {
    const { idleTimeoutMinutes, limits, runtime, samples, store } =
      this.#options;
    const caller = callerOf(credentials);
    return {
      samples,
      defaultNamespace: defaultNamespace(caller),
      limits: { total: limits.total, running: limits.running },
      usage: await store.usage(caller.ref),
      runtime: {
        kind: runtime.kind,
        editor: runtime.editor(),
        isolation: {
          ...runtime.isolation(),
          acceptance: await isolationAcceptance(this.#options),
        },
      },
      idleTimeoutMinutes,
    };
  }

  /**
   * Accepts, for all users, that workspaces run without isolation.
   *
   * @throws NotAllowedError if the caller is not a user.
   */
  async acceptUnisolated(options: CallOptions): Promise<WorkspaceOptions> {
    await recordAcceptance(this.#options, options.credentials, this.#now());
    return this.options(options);
  }

  async #own(id: string, { credentials }: CallOptions): Promise<Workspace> {
    // Checked first, because a path may contain characters that the database rejects.
    const workspace = isWorkspaceId(id)
      ? await this.#options.store.get(id)
      : undefined;
    if (!workspace || workspace.owner !== callerOf(credentials).ref) {
      throw new NotFoundError(`Workspace '${id}' not found`);
    }
    return workspace;
  }
}
