import {
  ContractWorkspace,
  WorkspaceCommand,
  WorkspaceDetails,
  WorkspaceEndpoint,
  WorkspaceListItem,
  DevfilePreview,
} from '@slipway/plugin-ide-launcher-common';
import {
  DevfileInspection,
  formatIssue,
  RepositoryInspection,
} from '../devfile';
import { Devfile, DevfileComponent } from '../devfile/types';
import { IdeAddresses } from '../ide-gateway/ideRoutes';
import { WorkspaceRuntime } from '../runtimes/WorkspaceRuntime';
import { stopsAt, CleanUpRules, deletesAt } from './expiry';
import { Workspace, WorkspaceSummary } from './Workspace';

/** Protocols that browsers can use through the gateway. */
const BROWSER_PROTOCOLS: ReadonlySet<string> = new Set([
  'http',
  'https',
  'ws',
  'wss',
]);

/** Returns the devfile's commands in the format of the API. */
function presentCommands(devfile: Devfile): WorkspaceCommand[] {
  return devfile.commands.map(command => ({
    id: command.id,
    label: command.label ?? command.id,
    kind: command.type,
    group: command.group?.kind ?? null,
    commandLine: command.type === 'exec' ? command.commandLine : null,
  }));
}

/** Dependencies of workspace responses. */
export interface PresentationContext {
  addresses: IdeAddresses;
  runtime: WorkspaceRuntime;
  idleTimeoutMinutes: number | null;
  cleanUp: CleanUpRules | null;
}

/** Formats the contract's response to a creation, without createdAt and lastUsed. */
export function presentCreated(
  workspace: WorkspaceSummary,
  context: PresentationContext,
): ContractWorkspace & { namespace: string } {
  return {
    ...presentContract(workspace, context),
    namespace: workspace.namespace,
  };
}

/** Formats a workspace as a list item. */
export function presentListItem(
  workspace: WorkspaceSummary,
  context: PresentationContext,
): WorkspaceListItem {
  const { cleanUp, idleTimeoutMinutes } = context;
  return {
    ...presentContract(workspace, context),
    createdAt: workspace.createdAt,
    lastUsed: workspace.lastUsedAt,
    namespace: workspace.namespace,
    devfileUrl: workspace.devfileUrl,
    repositoryUrl: workspace.repositoryUrl,
    editor: workspace.editor,
    statusMessage: workspace.statusMessage,
    failed: workspace.failed,
    stopsAt: stopsAt(workspace, idleTimeoutMinutes)?.toISOString() ?? null,
    deletesAt: deletesAt(workspace, cleanUp)?.toISOString() ?? null,
    importedFrom: workspace.importedFrom,
  };
}

/** Formats a workspace with all fields; queries its runtime for the endpoints that are listening. */
export async function presentDetails(
  workspace: Workspace,
  context: PresentationContext,
): Promise<WorkspaceDetails> {
  const { runtime } = context;
  return {
    ...presentListItem(workspace, context),
    revision: workspace.revision,
    starterProject: workspace.starterProject,
    runtime: runtime.kind,
    isolation: runtime.isolation(workspace),
    startedAt: workspace.startedAt,
    steps: workspace.steps,
    warnings: [...workspace.warnings, ...workspace.startWarnings],
    endpoints: await presentEndpoints(workspace, context),
    commands: presentCommands(workspace.devfile),
  };
}

function presentContract(
  workspace: WorkspaceSummary,
  { addresses }: PresentationContext,
): ContractWorkspace {
  return {
    workspaceId: workspace.id,
    name: workspace.name,
    status: workspace.status,
    ideUrl: addresses.ide(workspace.id),
    devfile: {
      name: workspace.devfileName,
      version: workspace.devfileVersion,
    },
  };
}

async function presentEndpoints(
  { devfile, id, status }: Workspace,
  { addresses, runtime }: PresentationContext,
): Promise<WorkspaceEndpoint[]> {
  return Promise.all(
    devfile.components.flatMap(component =>
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
                  ? addresses.endpoint(id, targetPort, path ?? '/')
                  : null,
              listening:
                status === 'Running' &&
                (await runtime.port(id, targetPort)) !== null,
            }),
          )
        : [],
    ),
  );
}

function presentRepository({
  repository,
}: RepositoryInspection): DevfilePreview['repository'] {
  const { devfile, name, page, revision } = repository;
  return {
    name,
    url: page,
    revision: revision ?? null,
    devfile: devfile ? { file: devfile.file, url: devfile.url.href } : null,
  };
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

/** Returns the preview of a devfile, or of a repository, in the create dialog. */
export function presentPreview(
  inspection: DevfileInspection | RepositoryInspection,
  runtime: Pick<WorkspaceRuntime, 'unsupported'>,
): DevfilePreview {
  const { devfile, issues, warnings } = inspection;
  const repository =
    'repository' in inspection ? presentRepository(inspection) : null;
  if (!devfile) {
    return {
      valid: false,
      issues,
      repository,
      devfile: null,
      warnings: warnings.map(formatIssue),
    };
  }
  return {
    valid: issues.length === 0,
    issues,
    repository,
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
    warnings: [...warnings.map(formatIssue), ...runtime.unsupported(devfile)],
  };
}
