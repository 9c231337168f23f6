import { existsSync } from 'node:fs';
import { mkdir, readFile, realpath } from 'node:fs/promises';
import path from 'node:path';
import { Devfile, DevfileProject } from '../../../devfile/types';
import { CommitAuthor, StartReporter } from '../../WorkspaceRuntime';
import { writeOwnFile } from '../files/ownFiles';
import { WorkspacePaths } from '../files/WorkspacePaths';
import { projectFolder } from '../localDevfile';
import { LocalRuntimeLimits } from '../options';
import { ProgramRunner } from '../process/programs';
import { cloneProject, GitGuard } from './cloneProject';
import { ArchiveSource, unpackProject } from './unpackProject';

/** Options for fetching the projects of a workspace. */
interface BringProjectsOptions {
  devfile: Devfile;
  paths: WorkspacePaths;
  /** The complete environment of git. */
  env: Record<string, string>;
  /** Runs git. */
  run: ProgramRunner;
  guard: GitGuard;
  archives: ArchiveSource;
  limits: LocalRuntimeLimits;
  reporter: StartReporter;
  signal: AbortSignal;
}

/** Returns the id and title of a project's step. */
export function projectStep(project: DevfileProject) {
  const verb = project.type === 'zip' ? 'Unpack' : 'Clone';
  return { id: `project:${project.name}`, title: `${verb} ${project.name}` };
}

/** Returns the projects that were never fetched. Projects that the user has deleted are not among them. */
export async function missingProjects(
  devfile: Devfile,
  paths: WorkspacePaths,
): Promise<DevfileProject[]> {
  const brought = await readBrought(paths);
  return devfile.projects.filter(({ name }) => !brought.includes(name));
}

/**
 * Fetches the missing projects, each once. A failure becomes a warning with its cause, and the
 * next start tries again: the workspace is useful without the project.
 *
 * @throws the signal's reason when it aborts.
 */
export async function bringProjects(
  options: BringProjectsOptions,
): Promise<void> {
  const { devfile, paths, reporter } = options;
  await mkdir(paths.projects, { recursive: true, mode: 0o700 });
  for (const project of await missingProjects(devfile, paths)) {
    const step = projectStep(project);
    reporter.step({ ...step, state: 'running' });
    const failure = await bringProject(project, options).catch(error => {
      options.signal.throwIfAborted();
      // The message of a failed system call contains a path of this machine.
      return `its folder cannot be created (${error.code ?? error.name})`;
    });
    if (failure === null) {
      await markBrought(paths, project.name);
      reporter.step({ ...step, state: 'done' });
      continue;
    }
    const message = `Project "${project.name}" was not fetched: ${failure}`;
    reporter.step({ ...step, state: 'warning', message });
    reporter.log('project', message);
    reporter.warn(message);
  }
}

async function bringProject(
  project: DevfileProject,
  options: BringProjectsOptions,
): Promise<string | null> {
  const { paths, reporter, signal } = options;
  let folder: string;
  try {
    folder = projectFolder(project, paths);
  } catch {
    return 'its clonePath leads out of the projects folder';
  }
  if (!(await isInside(paths.projects, path.dirname(folder)))) {
    return 'its clonePath leads through a link out of the projects folder';
  }
  if (existsSync(folder)) {
    return null;
  }
  const request = {
    folder,
    incoming: paths.incoming,
    limits: options.limits,
    signal,
    onLine: (line: string) => reporter.log('project', line),
  };
  if (project.type === 'zip') {
    return unpackProject({ ...request, project, archives: options.archives });
  }
  return cloneProject({
    ...request,
    project,
    env: options.env,
    run: options.run,
    guard: options.guard,
    onProgress: progress =>
      reporter.step({ ...projectStep(project), state: 'running', progress }),
  });
}

/**
 * Returns whether the existing part of a folder's path is really below `parent`: a project
 * cloned earlier may contain a link.
 */
async function isInside(parent: string, folder: string): Promise<boolean> {
  let present = folder;
  while (!existsSync(present)) {
    present = path.dirname(present);
  }
  const [real, root] = await Promise.all([realpath(present), realpath(parent)]);
  return real === root || real.startsWith(`${root}${path.sep}`);
}

async function readBrought(paths: WorkspacePaths): Promise<string[]> {
  try {
    const names: unknown = JSON.parse(
      await readFile(paths.projectState, 'utf8'),
    );
    return Array.isArray(names) ? names.map(String) : [];
  } catch {
    return [];
  }
}

async function markBrought(paths: WorkspacePaths, name: string) {
  const names = [...(await readBrought(paths)), name];
  // Atomic: if the list were lost, projects that the user has deleted would be fetched again.
  await writeOwnFile(paths.projectState, JSON.stringify(names));
}

/** Writes the author of commits to git's configuration, unless the workspace has one. */
export async function writeCommitAuthor(
  author: CommitAuthor | null | undefined,
  { home }: Pick<WorkspacePaths, 'home'>,
): Promise<void> {
  const file = path.join(home, '.gitconfig');
  const others = path.join(home, '.config/git/config');
  if (author && !existsSync(file) && !existsSync(others)) {
    const { email, name } = author;
    await writeOwnFile(
      file,
      `[user]\n\tname = ${quoteForGit(name)}\n\temail = ${quoteForGit(email)}\n`,
    );
  }
}

/** Quotes a value for git's configuration; control characters become spaces. */
function quoteForGit(value: string): string {
  return `"${value.replace(/\p{Cc}/gu, ' ').replace(/["\\]/g, '\\$&')}"`;
}
