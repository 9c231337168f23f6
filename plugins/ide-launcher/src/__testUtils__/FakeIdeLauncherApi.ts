import type { ResponseError } from '@backstage/errors';
import { refusal } from '@slipway/test-pages';
import type {
  ContractWorkspace,
  CreateWorkspaceRequest,
  DevfilePreview,
  IdeTicket,
  WorkspaceDetails,
  WorkspaceList,
  WorkspaceLogLine,
  WorkspaceLogs,
  WorkspaceOptions,
} from '@slipway/plugin-ide-launcher-common';
import type { IdeDestination, IdeLauncherApi } from '../api/IdeLauncherApi';
import { aWorkspace, someOptions } from './workspaces';

/** Methods that {@link FakeIdeLauncherApi.refuseNext} can make fail. */
type Method = keyof IdeLauncherApi;

/** The backend as an object in memory: tests change its state, pages read it. */
export class FakeIdeLauncherApi implements IdeLauncherApi {
  workspaces: WorkspaceDetails[];
  options: WorkspaceOptions = someOptions();
  logLines: WorkspaceLogLine[] = [];
  /** Responses of `previewDevfile` by address; others are valid and empty. */
  previews: Record<string, Partial<DevfilePreview>> = {};
  /** Delays the responses to previews until it is fulfilled. */
  previewsAfter: Promise<void> | undefined;
  /** Every request for a devfile preview, and whether it was aborted. */
  readonly previewed: {
    devfileUrl: string;
    revision?: string;
    signal?: AbortSignal;
  }[] = [];
  readonly created: CreateWorkspaceRequest[] = [];
  readonly ticketed: { workspaceId: string; destination: IdeDestination }[] =
    [];
  readonly #refusals = new Map<Method, ResponseError>();

  constructor(workspaces: WorkspaceDetails[] = []) {
    this.workspaces = workspaces;
  }

  /** Makes the next call of a method fail with an error response of the backend. */
  async refuseNext(
    method: Method,
    { status, error }: { status: number; error: string },
  ): Promise<void> {
    this.#refusals.set(method, await refusal(status, error));
  }

  /** Changes a workspace behind the page's back. */
  change(workspaceId: string, different: Partial<WorkspaceDetails>): void {
    this.workspaces = this.workspaces.map(workspace =>
      workspace.workspaceId === workspaceId
        ? { ...workspace, ...different }
        : workspace,
    );
  }

  async listWorkspaces(): Promise<WorkspaceList> {
    this.#refuse('listWorkspaces');
    return { workspaces: this.workspaces, total: this.workspaces.length };
  }

  async getWorkspace(workspaceId: string): Promise<WorkspaceDetails> {
    this.#refuse('getWorkspace');
    return this.#find(workspaceId);
  }

  async createWorkspace(
    request: CreateWorkspaceRequest,
  ): Promise<ContractWorkspace> {
    this.#refuse('createWorkspace');
    this.created.push(request);
    const workspace = aWorkspace({
      workspaceId: `workspace-${this.workspaces.length + 1}`,
      name: request.name ?? 'made-up-name',
      devfileUrl: request.devfileUrl ?? request.repositoryUrl,
      repositoryUrl: request.repositoryUrl ?? null,
      status: 'Starting',
      stopsAt: null,
    });
    this.workspaces = [...this.workspaces, workspace];
    return workspace;
  }

  async deleteWorkspace(workspaceId: string): Promise<void> {
    this.#refuse('deleteWorkspace');
    const { workspaceId: found } = await this.#find(workspaceId);
    this.workspaces = this.workspaces.filter(w => w.workspaceId !== found);
  }

  async startWorkspace(workspaceId: string): Promise<WorkspaceDetails> {
    this.#refuse('startWorkspace');
    this.change(workspaceId, { status: 'Starting', failed: false });
    return this.#find(workspaceId);
  }

  async stopWorkspace(workspaceId: string): Promise<WorkspaceDetails> {
    this.#refuse('stopWorkspace');
    this.change(workspaceId, { status: 'Stopping', stopsAt: null });
    return this.#find(workspaceId);
  }

  async updateDevfile(workspaceId: string): Promise<WorkspaceDetails> {
    this.#refuse('updateDevfile');
    const { devfile } = await this.#find(workspaceId);
    this.change(workspaceId, { devfile: { ...devfile, version: '9.9.9' } });
    return this.#find(workspaceId);
  }

  async extendWorkspace(workspaceId: string): Promise<WorkspaceDetails> {
    this.#refuse('extendWorkspace');
    this.change(workspaceId, { stopsAt: '2026-11-21T11:45:00.000Z' });
    return this.#find(workspaceId);
  }

  async getLogs(
    _workspaceId: string,
    { after }: { after: number },
  ): Promise<WorkspaceLogs> {
    this.#refuse('getLogs');
    const lines = this.logLines.filter(line => line.seq > after);
    return { lines, next: lines.at(-1)?.seq ?? after };
  }

  async createTicket(
    workspaceId: string,
    destination: IdeDestination = {},
  ): Promise<IdeTicket> {
    this.#refuse('createTicket');
    this.ticketed.push({ workspaceId, destination });
    return {
      url: `http://localhost:7010/w/${workspaceId}/?ticket=t${this.ticketed.length}`,
      expiresAt: '2026-11-21T10:01:00.000Z',
    };
  }

  async previewDevfile(
    devfileUrl: string,
    { revision, signal }: { revision?: string; signal?: AbortSignal } = {},
  ): Promise<DevfilePreview> {
    this.#refuse('previewDevfile');
    this.previewed.push({ devfileUrl, revision, signal });
    await this.previewsAfter;
    return {
      valid: true,
      issues: [],
      warnings: [],
      repository: null,
      devfile: {
        name: 'api-gateway',
        version: '1.2.0',
        schemaVersion: '2.2.2',
        description: null,
        projects: ['api-gateway'],
        starterProjects: [],
        components: [],
        commands: [],
        endpoints: [],
      },
      ...this.previews[devfileUrl],
    };
  }

  async getOptions(): Promise<WorkspaceOptions> {
    this.#refuse('getOptions');
    return this.options;
  }

  async acceptUnisolated(): Promise<WorkspaceOptions> {
    this.#refuse('acceptUnisolated');
    const { runtime } = this.options;
    const acceptance = {
      accepted: true,
      acceptedBy: 'user:default/ada',
      acceptedAt: '2026-11-21T10:00:00.000Z',
    };
    this.options = {
      ...this.options,
      runtime: { ...runtime, isolation: { ...runtime.isolation, acceptance } },
    };
    return this.options;
  }

  async #find(workspaceId: string): Promise<WorkspaceDetails> {
    const found = this.workspaces.find(w => w.workspaceId === workspaceId);
    if (!found) {
      throw await refusal(404, 'No workspace');
    }
    return found;
  }

  #refuse(method: Method): void {
    const refused = this.#refusals.get(method);
    if (refused) {
      this.#refusals.delete(method);
      throw refused;
    }
  }
}
