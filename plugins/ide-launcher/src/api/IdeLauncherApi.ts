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
import type { CallOptions } from '@slipway/app-react';

/** A location to open in a workspace; the editor's start page if empty. */
export interface IdeDestination {
  /** Begins with a slash; may include a query. */
  path?: string;
  /** An endpoint's port, to open instead of the editor. */
  port?: number;
}

/**
 * The caller's IDE workspaces.
 *
 * Every method rejects with a `ResponseError` if the response is not 2xx, with a `TypeError` if
 * there is no response, and with the signal's reason if aborted.
 */
export interface IdeLauncherApi {
  /** Lists the caller's workspaces, newest first; all of them without `status`. */
  listWorkspaces(
    options?: CallOptions & { status?: WorkspaceStatus },
  ): Promise<WorkspaceList>;
  /** Returns one workspace with all fields. */
  getWorkspace(
    workspaceId: string,
    options?: CallOptions,
  ): Promise<WorkspaceDetails>;
  /** Creates and starts a workspace; resolves before it is running. */
  createWorkspace(request: CreateWorkspaceRequest): Promise<ContractWorkspace>;
  /** Deletes a workspace with its files. */
  deleteWorkspace(workspaceId: string): Promise<void>;
  startWorkspace(workspaceId: string): Promise<WorkspaceDetails>;
  stopWorkspace(workspaceId: string): Promise<WorkspaceDetails>;
  /** Reads the devfile of a stopped workspace again, for its next start. */
  updateDevfile(workspaceId: string): Promise<WorkspaceDetails>;
  /** Postpones the idle deadline (`stopsAt`). */
  extendWorkspace(workspaceId: string): Promise<WorkspaceDetails>;
  /** Returns log lines with a `seq` above `after`; `after: 0` reads from the start. */
  getLogs(
    workspaceId: string,
    options: CallOptions & { after: number },
  ): Promise<WorkspaceLogs>;
  /** Returns a one-time URL that opens the IDE; valid for about a minute. */
  createTicket(
    workspaceId: string,
    destination?: IdeDestination,
  ): Promise<IdeTicket>;
  /** Reads the devfile at an address, or that of a repository, without creating anything. */
  previewDevfile(
    address: string,
    options?: CallOptions & { revision?: string },
  ): Promise<DevfilePreview>;
  /** Returns the samples, limits and defaults of the create dialog. */
  getOptions(options?: CallOptions): Promise<WorkspaceOptions>;
  /** Accepts, as an admin, that workspaces run without isolation. */
  acceptUnisolated(): Promise<WorkspaceOptions>;
}

/** {@link IdeLauncherApi} */
export const ideLauncherApiRef = createApiRef<IdeLauncherApi>().with({
  id: 'plugin.ide-launcher.client',
  pluginId: 'ide-launcher',
});
