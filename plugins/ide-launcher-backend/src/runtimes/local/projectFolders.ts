import { existsSync } from 'node:fs';
import path from 'node:path';
import { InputError } from '@backstage/errors';
import { Devfile, DevfileProject } from '../../devfile/types';
import { WorkspacePaths } from './WorkspacePaths';

/**
 * Where a project belongs, inside the workspace's projects folder.
 *
 * @throws InputError when `clonePath` leads out of it.
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

/** The folder the editor opens: the project when there is exactly one and it is there, else all of them. */
export function openFolder(
  devfile: Devfile,
  paths: Pick<WorkspacePaths, 'projects'>,
): string {
  const source = sourceFolder(devfile, paths);
  return devfile.projects.length === 1 && existsSync(source)
    ? source
    : paths.projects;
}

/** The devfile's PROJECT_SOURCE: the folder of the first project. */
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
    // Told to the user where the project is brought in.
    return paths.projects;
  }
}
