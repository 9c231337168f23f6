import type { CreateWorkspaceRequest } from '@slipway/plugin-ide-launcher-common';
import { FakeIdeLauncherApi } from '../src/__testUtils__/FakeIdeLauncherApi';
import {
  recordedLog,
  recordedPreviews,
  recordedWorkspaces,
} from './recordedData';

/** Roughly the duration of a start on an idle machine. */
const CHANGE_MS = 3_000;

/** An in-memory backend whose workspaces start and stop after a while. */
export class RecordedIdeLauncherApi extends FakeIdeLauncherApi {
  constructor() {
    super(recordedWorkspaces());
    this.logLines = recordedLog();
    this.previews = recordedPreviews();
  }

  async createWorkspace(request: CreateWorkspaceRequest) {
    const workspace = await super.createWorkspace(request);
    this.#later(workspace.workspaceId, 'Running');
    return workspace;
  }

  async startWorkspace(workspaceId: string) {
    this.#later(workspaceId, 'Running');
    return super.startWorkspace(workspaceId);
  }

  async stopWorkspace(workspaceId: string) {
    this.#later(workspaceId, 'Stopped');
    return super.stopWorkspace(workspaceId);
  }

  #later(workspaceId: string, status: 'Running' | 'Stopped'): void {
    setTimeout(() => this.change(workspaceId, { status }), CHANGE_MS);
  }
}
