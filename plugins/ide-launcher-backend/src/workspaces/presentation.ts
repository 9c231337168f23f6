import {
  ContractWorkspace,
  WorkspaceCommand,
  WorkspaceDetails,
  WorkspaceEndpoint,
  WorkspaceListItem,
  DevfileIssue,
  DevfilePreview,
} from '@slipway/plugin-ide-launcher-common';
import { DevfileInspection } from '../devfile';
import { Devfile, DevfileComponent } from '../devfile/types';
import { IdeAddresses } from '../ide-gateway/IdeAddresses';
import { WorkspaceRuntime } from '../runtimes/WorkspaceRuntime';
import { stopsAt, CleanUpRules, deletesAt } from './expiry';
import { Workspace, WorkspaceSummary } from './Workspace';

/** Protocols that a browser reaches through the gateway. */
const BROWSER_PROTOCOLS: ReadonlySet<string> = new Set([
  'http',
  'https',
  'ws',
  'wss',
]);

/** @returns the devfile's commands as pages show them. */
function presentCommands(devfile: Devfile): WorkspaceCommand[] {
  return devfile.commands.map(command => ({
    id: command.id,
    label: command.label ?? command.id,
    kind: command.type,
    group: command.group?.kind ?? null,
    commandLine: command.type === 'exec' ? command.commandLine : null,
  }));
}

/** Turns workspaces into what the API answers. */
export class WorkspacePresenter {
  readonly #addresses: IdeAddresses;
  readonly #runtime: WorkspaceRuntime;
  readonly #idleTimeoutMinutes: number | null;
  readonly #cleanUp: CleanUpRules | null;

  constructor(options: {
    addresses: IdeAddresses;
    runtime: WorkspaceRuntime;
    idleTimeoutMinutes: number | null;
    cleanUp: CleanUpRules | null;
  }) {
    this.#addresses = options.addresses;
    this.#runtime = options.runtime;
    this.#idleTimeoutMinutes = options.idleTimeoutMinutes;
    this.#cleanUp = options.cleanUp;
  }

  /** The contract's answer to a creation: neither createdAt nor lastUsed. */
  created(workspace: WorkspaceSummary): ContractWorkspace & {
    namespace: string;
  } {
    return {
      ...this.#contract(workspace),
      namespace: workspace.namespace,
    };
  }

  listItem(workspace: WorkspaceSummary): WorkspaceListItem {
    return {
      ...this.#contract(workspace),
      createdAt: workspace.createdAt,
      lastUsed: workspace.lastUsedAt,
      namespace: workspace.namespace,
      devfileUrl: workspace.devfileUrl,
      editor: workspace.editor,
      statusMessage: workspace.statusMessage,
      failed: workspace.failed,
      stopsAt:
        stopsAt(workspace, this.#idleTimeoutMinutes)?.toISOString() ?? null,
      deletesAt: deletesAt(workspace, this.#cleanUp)?.toISOString() ?? null,
    };
  }

  async details(workspace: Workspace): Promise<WorkspaceDetails> {
    return {
      ...this.listItem(workspace),
      runtime: this.#runtime.kind,
      isolation: this.#runtime.isolation(workspace.id),
      startedAt: workspace.startedAt,
      steps: workspace.steps,
      warnings: workspace.warnings,
      endpoints: await this.#endpoints(workspace),
      commands: presentCommands(workspace.devfile),
    };
  }

  #contract(workspace: WorkspaceSummary): ContractWorkspace {
    return {
      workspaceId: workspace.id,
      name: workspace.name,
      status: workspace.status,
      ideUrl: this.#addresses.ide(workspace.id),
      devfile: {
        name: workspace.devfileName,
        version: workspace.devfileVersion,
      },
    };
  }

  async #endpoints(workspace: Workspace): Promise<WorkspaceEndpoint[]> {
    const running = workspace.status === 'Running';
    return Promise.all(
      workspace.devfile.components.flatMap(component =>
        component.type === 'container'
          ? component.container.endpoints.map(
              async ({ name, targetPort, protocol, exposure, path }) => ({
                name,
                component: component.name,
                targetPort,
                protocol,
                exposure,
                url:
                  exposure !== 'none' && BROWSER_PROTOCOLS.has(protocol)
                    ? this.#addresses.endpoint(
                        workspace.id,
                        targetPort,
                        path ?? '/',
                      )
                    : null,
                listening:
                  running &&
                  (await this.#runtime.port(workspace.id, targetPort)) !== null,
              }),
            )
          : [],
      ),
    );
  }
}

function detailOf(component: DevfileComponent): string {
  switch (component.type) {
    case 'container':
      return component.container.image;
    case 'image':
      return component.imageName;
    case 'volume':
      return component.size ?? '';
    default:
      return component.detail;
  }
}

function formatWarning({ path, message }: DevfileIssue): string {
  return path ? `${path}: ${message}` : message;
}

/** @returns what the create dialog shows of a devfile before it is used. */
export function presentPreview(
  { devfile, issues, warnings }: DevfileInspection,
  runtime: Pick<WorkspaceRuntime, 'unsupported'>,
): DevfilePreview {
  if (!devfile) {
    return {
      valid: false,
      issues,
      devfile: null,
      warnings: warnings.map(formatWarning),
    };
  }
  return {
    valid: issues.length === 0,
    issues,
    devfile: {
      name: devfile.metadata.name,
      version: devfile.metadata.version,
      schemaVersion: devfile.schemaVersion,
      description: devfile.metadata.description,
      projects: devfile.projects.map(({ name }) => name),
      starterProjects: devfile.starterProjects.map(({ name, description }) => ({
        name,
        description,
      })),
      components: devfile.components.map(component => ({
        name: component.name,
        type: component.type,
        detail: detailOf(component),
      })),
      commands: presentCommands(devfile),
      endpoints: devfile.components.flatMap(component =>
        component.type === 'container'
          ? component.container.endpoints.map(
              ({ name, targetPort, exposure }) => ({
                name,
                targetPort,
                exposure,
              }),
            )
          : [],
      ),
    },
    warnings: [...warnings.map(formatWarning), ...runtime.unsupported(devfile)],
  };
}
