import { setTimeout as sleep } from 'node:timers/promises';
import { patient } from '@slipway/dev-runner/src/patience.ts';
import type {
  ContractWorkspace,
  IdeTicket,
  WorkspaceDetails,
  WorkspaceList,
  WorkspaceStatus,
} from '@slipway/plugin-ide-launcher-common';

const POLL_MS = 50;

/**
 * Calls the workspace API like a script with a service token. Throws on responses other than 2xx.
 */
export class WorkspaceApi {
  readonly #base: string;
  readonly #token: string;

  constructor(options: { api: string; token: string }) {
    this.#base = `${options.api}/api/ide-launcher`;
    this.#token = options.token;
  }

  async create(request: {
    devfileUrl: string;
    name?: string;
  }): Promise<ContractWorkspace> {
    return this.call('POST', '/workspaces', request);
  }

  async list(): Promise<WorkspaceList> {
    return this.call('GET', '/workspaces');
  }

  async get(id: string): Promise<WorkspaceDetails> {
    return this.call('GET', `/workspaces/${id}`);
  }

  async start(id: string): Promise<WorkspaceDetails> {
    return this.call('POST', `/workspaces/${id}/start`);
  }

  async ticket(id: string): Promise<IdeTicket> {
    return this.call('POST', `/workspaces/${id}/ticket`);
  }

  async delete(id: string): Promise<void> {
    await this.call('DELETE', `/workspaces/${id}`);
  }

  /**
   * Resolves once a workspace has the status.
   *
   * @throws Error if it does not within `timeoutMs`.
   */
  async until(
    id: string,
    status: WorkspaceStatus,
    timeoutMs = patient(60_000),
  ): Promise<WorkspaceDetails> {
    const end = Date.now() + timeoutMs;
    for (;;) {
      const workspace = await this.get(id);
      if (workspace.status === status) {
        return workspace;
      }
      if (Date.now() > end || workspace.failed) {
        throw new Error(
          `${workspace.name} is ${workspace.status} and not ${status}: ${workspace.statusMessage}`,
        );
      }
      await sleep(POLL_MS);
    }
  }

  /**
   * Calls a route of the plugin.
   *
   * @returns the JSON response; undefined if there is no body.
   */
  async call<T>(method: string, route: string, body?: object): Promise<T> {
    const response = await fetch(this.#base + route, {
      method,
      headers: {
        authorization: `Bearer ${this.#token}`,
        ...(body && { 'content-type': 'application/json' }),
      },
      body: body && JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) {
      throw new Error(`${method} ${route}: ${response.status} ${text}`);
    }
    return (text ? JSON.parse(text) : undefined) as T;
  }
}
