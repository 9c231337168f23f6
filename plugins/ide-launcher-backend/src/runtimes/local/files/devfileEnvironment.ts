import { existsSync } from 'node:fs';
import path from 'node:path';
import { InputError } from '@backstage/errors';
import { parseQuantity } from '../../../devfile/semantics/quantity';
import {
  Devfile,
  DevfileCommand,
  DevfileContainer,
  DevfileProject,
} from '../../../devfile/types';
import { WorkspacePaths } from './WorkspacePaths';

/** Variables that the workspace depends on; a devfile must not set them here. */
const RESERVED =
  /^(PATH|HOME|USER|SHELL|PROJECTS_ROOT|PROJECT_SOURCE|SLIPWAY_.*|VSCODE_.*|CODE_SERVER_.*)$/;

/** The default folder of projects in containers. */
const CONTAINER_PROJECTS_ROOT = '/projects';

type ExecCommand = Extract<DevfileCommand, { type: 'exec' }>;

/** Returns whether a variable is reserved for the runtime, so that a devfile may not set it. */
export function isReservedVariable(name: string): boolean {
  return RESERVED.test(name);
}

/** Returns the container that provides the editor's environment: the first one with the projects mounted. */
export function developmentContainer(
  devfile: Devfile,
): { name: string; container: DevfileContainer } | undefined {
  const containers = devfile.components.filter(
    component => component.type === 'container',
  );
  return (
    containers.find(({ container }) => container.mountSources) ?? containers[0]
  );
}

/** Parts of a workspace's environment apart from the devfile's variables. */
interface BaseEnvironment {
  path: string;
  /** Extra variables from the configuration. */
  extra: Record<string, string>;
}

/** Returns the complete environment of a workspace's editor. Inherits nothing from the portal. */
export function workspaceEnvironment(
  devfile: Devfile,
  paths: WorkspacePaths,
  base: BaseEnvironment,
): Record<string, string> {
  return {
    LANG: 'C.UTF-8',
    TERM: 'xterm-256color',
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
 * Returns the folder in which a command runs. Paths below the containers' projects root are
 * mapped to the workspace's projects; null for all other paths, because they only exist in the
 * container.
 */
export function commandFolder(
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
        ({ name, value }) => !isReservedVariable(name) && !value.includes('\0'),
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
export function sourceFolder(
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
