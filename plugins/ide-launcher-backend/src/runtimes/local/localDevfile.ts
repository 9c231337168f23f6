import { existsSync } from 'node:fs';
import path from 'node:path';
import { InputError } from '@backstage/errors';
import { parseQuantity } from '../../devfile/semantics/quantity';
import {
  Devfile,
  DevfileCommand,
  DevfileComponent,
  DevfileContainer,
  DevfileProject,
} from '../../devfile/types';
import { WorkspacePaths } from './files/WorkspacePaths';
import { projectUrlFault } from './projects/cloneProject';

/** Variables that the workspace depends on; a devfile must not set them here. */
const RESERVED =
  /^(PATH|HOME|USER|SHELL|PROJECTS_ROOT|PROJECT_SOURCE|SLIPWAY_.*|VSCODE_.*|CODE_SERVER_.*)$/;

/** The default folder of projects in containers. */
const CONTAINER_PROJECTS_ROOT = '/projects';

type ExecCommand = Extract<DevfileCommand, { type: 'exec' }>;

/** Returns the container that provides the editor's environment: the first one with the projects mounted. */
function developmentContainer(
  devfile: Devfile,
): { name: string; container: DevfileContainer } | undefined {
  const containers = devfile.components.filter(
    component => component.type === 'container',
  );
  return (
    containers.find(({ container }) => container.mountSources) ?? containers[0]
  );
}

/**
 * Returns the complete environment of a workspace's editor. Inherits nothing from the portal.
 *
 * @param base.extra - Variables from the configuration.
 */
export function workspaceEnvironment(
  devfile: Devfile,
  paths: WorkspacePaths,
  base: { path: string; extra: Record<string, string> },
): Record<string, string> {
  return {
    LANG: 'C.UTF-8',
    TERM: 'xterm-256color',
    // The full path of a folder in a workspace would fill the line of the prompt.
    PROMPT_DIRTRIM: '2',
    SHELL: existsSync('/bin/bash') ? '/bin/bash' : '/bin/sh',
    ...base.extra,
    ...variables(developmentContainer(devfile)?.container.env ?? []),
    PATH: base.path,
    HOME: paths.home,
    PROJECTS_ROOT: paths.projects,
    PROJECT_SOURCE: sourceFolder(devfile, paths),
  };
}

/** Returns the variables of a command in addition to its workspace's: its container's and its own. */
export function commandEnvironment(
  devfile: Devfile,
  command: ExecCommand,
): Record<string, string> {
  const component = devfile.components.find(
    ({ name }) => name === command.component,
  );
  return {
    ...variables(
      component?.type === 'container' ? component.container.env : [],
    ),
    ...variables(command.env),
  };
}

/**
 * Returns the folder in which a command runs: its own, or the project's if its own exists only in the
 * container.
 */
export function commandFolder(
  devfile: Devfile,
  command: ExecCommand,
  paths: Pick<WorkspacePaths, 'projects'>,
): string {
  return mappedFolder(devfile, command, paths) ?? sourceFolder(devfile, paths);
}

/**
 * Returns the folder that a command names, with paths below the containers' projects root mapped to
 * the workspace's projects; null for all other paths, because they only exist in the container.
 */
function mappedFolder(
  devfile: Devfile,
  command: ExecCommand,
  paths: Pick<WorkspacePaths, 'projects'>,
): string | null {
  const source = sourceFolder(devfile, paths);
  if (!command.workingDir) {
    return source;
  }
  const expanded = command.workingDir
    .replace(/\$\{?PROJECTS_ROOT\b\}?/g, () => paths.projects)
    .replace(/\$\{?PROJECT_SOURCE\b\}?/g, () => source);
  const below = path.posix.relative(CONTAINER_PROJECTS_ROOT, expanded);
  const folder =
    path.isAbsolute(expanded) && !below.startsWith('..')
      ? path.join(paths.projects, below)
      : path.resolve(source, expanded);
  return folder === paths.projects ||
    folder.startsWith(`${paths.projects}${path.sep}`)
    ? folder
    : null;
}

function variables(
  env: { name: string; value: string }[],
): Record<string, string> {
  return Object.fromEntries(
    env
      .filter(
        ({ name, value }) => !RESERVED.test(name) && !value.includes('\0'),
      )
      .map(({ name, value }) => [name, value]),
  );
}

/**
 * Returns the folder of a project, inside the workspace's projects folder.
 *
 * @throws InputError if `clonePath` leads out of it.
 */
export function projectFolder(
  project: DevfileProject,
  paths: Pick<WorkspacePaths, 'projects'>,
): string {
  const relative = project.clonePath ?? project.name;
  const folder = path.resolve(paths.projects, relative);
  if (
    path.isAbsolute(relative) ||
    relative.includes('\0') ||
    !folder.startsWith(`${paths.projects}${path.sep}`)
  ) {
    throw new InputError(
      `Project "${project.name}" has a clonePath outside of the projects folder`,
    );
  }
  return folder;
}

/**
 * Returns the folder that the editor opens: the project if there is exactly one and it exists,
 * otherwise the folder of all projects.
 */
export function openFolder(
  devfile: Devfile,
  paths: Pick<WorkspacePaths, 'projects'>,
): string {
  const source = sourceFolder(devfile, paths);
  return devfile.projects.length === 1 && existsSync(source)
    ? source
    : paths.projects;
}

/** Returns the devfile's PROJECT_SOURCE: the folder of the first project. */
function sourceFolder(
  devfile: Devfile,
  paths: Pick<WorkspacePaths, 'projects'>,
): string {
  const [first] = devfile.projects;
  if (!first) {
    return paths.projects;
  }
  try {
    return projectFolder(first, paths);
  } catch {
    // Reported to the user when the project is fetched.
    return paths.projects;
  }
}

/** Memory for the editor itself, in addition to the memory limits of the devfile's containers. */
const EDITOR_BYTES = 1024 ** 3;

/**
 * Returns the memory limit of a workspace: that of the devfile's containers plus the editor's
 * share, at most the configured limit.
 */
export function memoryLimitOf(devfile: Devfile, maxBytes: number): number {
  const asked = devfile.components.flatMap(component =>
    component.type === 'container' && component.container.memoryLimit
      ? (parseQuantity(component.container.memoryLimit) ?? [])
      : [],
  );
  const sum = asked.reduce((total, bytes) => total + bytes, 0);
  return sum > 0 ? Math.min(sum + EDITOR_BYTES, maxBytes) : maxBytes;
}

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
  { name, container }: Extract<DevfileComponent, { type: 'container' }>,
): string[] {
  const { cpuLimit, endpoints, env, sourceMapping } = container;
  const hasStartCommand = container.command.length + container.args.length > 0;
  const isOther = developmentContainer(devfile)?.name !== name;
  return [
    `Container "${name}" does not run its image ${container.image}; its commands run on the portal's machine.`,
    hasStartCommand && `The start command of container "${name}" is not run.`,
    cpuLimit &&
      `The CPU limit ${cpuLimit} of container "${name}" is not enforced.`,
    sourceMapping &&
      `Container "${name}" does not see the projects at ${sourceMapping}; PROJECTS_ROOT is their path.`,
    ...env
      .filter(variable => RESERVED.test(variable.name))
      .map(
        variable =>
          `Variable ${variable.name} of container "${name}" is not set, because the workspace sets its own.`,
      ),
    isOther &&
      env.length > 0 &&
      `The variables of container "${name}" are set for its commands only, not in terminals.`,
    ...endpoints
      .filter(({ protocol }) => protocol === 'tcp' || protocol === 'udp')
      .map(
        endpoint =>
          `Endpoint "${endpoint.name}" (${endpoint.protocol}) cannot be opened in the browser.`,
      ),
  ].flatMap(sentence => sentence || []);
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
      mappedFolder(devfile, command, anyRoot) === null
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
