import type {
  ContractWorkspace,
  CreateWorkspaceRequest,
  DevfilePreview,
  IdeTicket,
  WorkspaceDetails,
  WorkspaceList,
  WorkspaceLogs,
  WorkspaceOptions,
  WorkspaceStatus,
} from '@slipway/plugin-ide-launcher-common';
import { createApiRef } from '@backstage/frontend-plugin-api';

/** What every call takes beside its own arguments. */
export interface CallOptions {
  /** Aborts the request. */
  signal?: AbortSignal;
}

/** A place in a workspace to land on; the editor's first page when empty. */
export interface IdeDestination {
  /** Begins with a slash; may carry a query. */
  path?: string;
  /** An endpoint's port instead of the editor. */
  port?: number;
}

/**
 * The caller's IDE workspaces.
 *
 * Every method rejects with a `ResponseError` when the answer is not 2xx, with a `TypeError`
 * when none came, and with the signal's reason when aborted.
 */
export interface IdeLauncherApi {
  /** The caller's workspaces, newest first; all of them without `status`. */
  listWorkspaces(
    options?: CallOptions & { status?: WorkspaceStatus },
  ): Promise<WorkspaceList>;
  /** One workspace in full. */
  getWorkspace(
    workspaceId: string,
    options?: CallOptions,
  ): Promise<WorkspaceDetails>;
  /** Creates and starts a workspace; answers before it runs. */
  createWorkspace(request: CreateWorkspaceRequest): Promise<ContractWorkspace>;
  /** Deletes a workspace with its files. */
  deleteWorkspace(workspaceId: string): Promise<void>;
  startWorkspace(workspaceId: string): Promise<WorkspaceDetails>;
  stopWorkspace(workspaceId: string): Promise<WorkspaceDetails>;
  /** Pushes the idle deadline (`stopsAt`) out by a whole idle period. */
  extendWorkspace(workspaceId: string): Promise<WorkspaceDetails>;
  /** Log lines with a `seq` above `after`; `after: 0` reads from the start. */
  getLogs(
    workspaceId: string,
    options: CallOptions & { after: number },
  ): Promise<WorkspaceLogs>;
  /** A one-time address that opens the IDE; valid for about a minute. */
  createTicket(
    workspaceId: string,
    destination?: IdeDestination,
  ): Promise<IdeTicket>;
  /** Reads and checks a devfile without creating anything. */
  previewDevfile(
    devfileUrl: string,
    options?: CallOptions,
  ): Promise<DevfilePreview>;
  /** Samples, limits and defaults of the create dialog. */
  getOptions(options?: CallOptions): Promise<WorkspaceOptions>;
  /** Accepts, as an administrator, that workspaces run without isolation. */
  acceptUnisolated(): Promise<WorkspaceOptions>;
}

/** {@link IdeLauncherApi} */
export const ideLauncherApiRef = createApiRef<IdeLauncherApi>().with({
  id: 'plugin.ide-launcher.client',
  pluginId: 'ide-launcher',
});
