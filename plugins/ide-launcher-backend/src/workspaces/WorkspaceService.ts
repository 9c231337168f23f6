import { BackstageCredentials } from '@backstage/backend-plugin-api';
import {
  ContractWorkspace,
  DevfilePreview,
  IdeTicket,
  WorkspaceDetails,
  WorkspaceList,
  WorkspaceLogs,
  WorkspaceOptions,
  WorkspaceStatus,
} from '@slipway/plugin-ide-launcher-common';
import { CreateWorkspace, TicketRequest } from './schemas';

/** Who calls: decides whose workspaces are meant. */
export interface CallOptions {
  credentials: BackstageCredentials;
}

/**
 * What callers do with workspaces. Every method sees the caller's own alone:
 * another's workspace is a NotFoundError, as if it did not exist.
 */
export interface WorkspaceService {
  /**
   * @throws InputError when the devfile cannot be read or is invalid.
   * @throws NotAllowedError when a limit of the caller is reached.
   * @throws ConflictError when the namespace has a workspace of that name.
   */
  create(
    request: CreateWorkspace,
    options: CallOptions,
  ): Promise<ContractWorkspace>;
  list(
    filter: { status?: WorkspaceStatus },
    options: CallOptions,
  ): Promise<WorkspaceList>;
  get(id: string, options: CallOptions): Promise<WorkspaceDetails>;
  /** Does nothing to a workspace that starts or runs. @throws ConflictError while it stops. */
  start(id: string, options: CallOptions): Promise<WorkspaceDetails>;
  /** Does nothing to a workspace that is stopped. */
  stop(id: string, options: CallOptions): Promise<WorkspaceDetails>;
  /** Puts off the stop for being idle. @throws ConflictError when it does not run. */
  extend(id: string, options: CallOptions): Promise<WorkspaceDetails>;
  delete(id: string, options: CallOptions): Promise<void>;
  logs(
    id: string,
    query: { after: number },
    options: CallOptions,
  ): Promise<WorkspaceLogs>;
  /** @throws ConflictError when the workspace does not run. */
  createTicket(
    id: string,
    request: TicketRequest,
    options: CallOptions,
  ): Promise<IdeTicket>;
  /** Ends every way into the caller's IDEs; the workspaces go on. */
  endSessions(options: CallOptions): Promise<void>;
  preview(devfileUrl: string, options: CallOptions): Promise<DevfilePreview>;
  options(options: CallOptions): Promise<WorkspaceOptions>;
  /** @throws NotAllowedError for anybody but a user. */
  acceptUnisolated(options: CallOptions): Promise<WorkspaceOptions>;
}
