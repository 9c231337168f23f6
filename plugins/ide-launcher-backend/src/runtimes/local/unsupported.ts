import { Devfile, DevfileComponent } from '../../devfile/types';
import {
  commandFolder,
  developmentContainer,
  isReservedVariable,
} from './files/devfileEnvironment';
import { projectUrlFault } from './projects/cloneProject';

type Container = Extract<DevfileComponent, { type: 'container' }>;

/** Lists the parts of a devfile that the local runtime does not support, as sentences for users. */
export function describeUnsupported(devfile: Devfile): string[] {
  return [
    ...devfile.components.flatMap(component =>
      describeComponent(devfile, component),
    ),
    ...describeCommands(devfile),
    ...describeEvents(devfile),
    ...describeProjects(devfile),
  ];
}

function describeComponent(
  devfile: Devfile,
  component: DevfileComponent,
): string[] {
  switch (component.type) {
    case 'container':
      return describeContainer(devfile, component);
    case 'volume':
      return [
        `Volume "${component.name}" is not mounted; files in the workspace's own folders are kept until it is deleted.`,
      ];
    case 'image':
      return [`Image "${component.imageName}" is not built.`];
    default:
      return [
        `Component "${component.name}" (${component.type}) is not deployed.`,
      ];
  }
}

function describeContainer(
  devfile: Devfile,
  { name, container }: Container,
): string[] {
  const reserved = container.env
    .map(variable => variable.name)
    .filter(isReservedVariable);
  const others = developmentContainer(devfile)?.name !== name;
  return [
    `Container "${name}" does not run its image ${container.image}; its commands run on the portal's machine.`,
    ...(container.command.length || container.args.length
      ? [`The start command of container "${name}" is not run.`]
      : []),
    ...(container.cpuLimit
      ? [
          `The CPU limit ${container.cpuLimit} of container "${name}" is not enforced.`,
        ]
      : []),
    ...(container.sourceMapping
      ? [
          `Container "${name}" does not see the projects at ${container.sourceMapping}; PROJECTS_ROOT is their path.`,
        ]
      : []),
    ...reserved.map(
      variable =>
        `Variable ${variable} of container "${name}" is not set, because the workspace sets its own.`,
    ),
    ...(others && container.env.length
      ? [
          `The variables of container "${name}" are set for its commands only, not in terminals.`,
        ]
      : []),
    ...container.endpoints
      .filter(({ protocol }) => protocol === 'tcp' || protocol === 'udp')
      .map(
        endpoint =>
          `Endpoint "${endpoint.name}" (${endpoint.protocol}) cannot be opened in the browser.`,
      ),
  ];
}

function describeCommands(devfile: Devfile): string[] {
  const anyRoot = { projects: '/projects' };
  return devfile.commands.flatMap(command => {
    if (command.type === 'apply') {
      return [
        `Command "${command.id}" is not available: it applies a component.`,
      ];
    }
    return command.type === 'exec' &&
      commandFolder(devfile, command, anyRoot) === null
      ? [
          `Command "${command.id}" runs in the project folder, as ${command.workingDir} is only in its container.`,
        ]
      : [];
  });
}

function describeEvents({ events }: Devfile): string[] {
  return (['preStart', 'preStop', 'postStop'] as const)
    .filter(event => events[event].length > 0)
    .map(event => `The commands of the ${event} event are not run.`);
}

function describeProjects(devfile: Devfile): string[] {
  return devfile.projects.flatMap(project => {
    const fault = projectUrlFault(
      project.type === 'zip' ? project.location : project.remote.url,
    );
    return fault ? [`Project "${project.name}" is not fetched: ${fault}.`] : [];
  });
}
