import {
  DevfileIssue,
  DevfilePreview,
} from '@slipway/plugin-ide-launcher-common';
import { DevfileInspection } from '../devfile';
import { DevfileComponent } from '../devfile/types';
import { WorkspaceRuntime } from '../runtimes/WorkspaceRuntime';
import { presentCommands } from './WorkspacePresenter';

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
