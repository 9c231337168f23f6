import { SourceRepository, toProject } from '../address';
import { MergedDevfile, RawProject } from '../schema/devfile';
import { Devfile } from '../types';

/**
 * Completes a repository's own devfile for a workspace: names it after the repository if it has no name,
 * and adds the repository as its project if it has none. A project that is the repository itself is
 * checked out at the chosen branch, tag or commit.
 */
export function withRepository(
  devfile: MergedDevfile,
  repository: SourceRepository,
): MergedDevfile {
  const { revision } = repository;
  const projects = devfile.projects ?? [];
  return {
    ...named(devfile, repository),
    projects:
      projects.length === 0
        ? [toProject(repository)]
        : projects.map(project =>
            revision === undefined
              ? project
              : atRevision(project, repository.remote, revision),
          ),
  };
}

/** Returns the default devfile with this repository as its only project. */
export function forRepository(
  devfile: MergedDevfile,
  repository: SourceRepository,
): MergedDevfile {
  const { starterProjects, ...rest } = named(devfile, repository);
  return { ...rest, projects: [toProject(repository)] };
}

/** Returns whether a repository is one of the projects of a devfile. */
export function includesRepository(
  { projects }: Pick<Devfile, 'projects'>,
  { remote }: Pick<SourceRepository, 'remote'>,
): boolean {
  return projects.some(
    project =>
      project.type === 'git' &&
      [project.remote, ...project.otherRemotes].some(({ url }) =>
        isSameRemote(url, remote),
      ),
  );
}

function named(
  devfile: MergedDevfile,
  repository: SourceRepository,
): MergedDevfile {
  const { metadata } = devfile;
  return metadata?.name?.trim()
    ? devfile
    : {
        ...devfile,
        metadata: { ...metadata, name: toProject(repository).name },
      };
}

function atRevision(
  project: RawProject,
  remote: string,
  revision: string,
): RawProject {
  const { git } = project;
  const [name] =
    Object.entries(git?.remotes ?? {}).find(([, url]) =>
      isSameRemote(url, remote),
    ) ?? [];
  return git && name
    ? {
        ...project,
        git: {
          ...git,
          checkoutFrom: { ...git.checkoutFrom, remote: name, revision },
        },
      }
    : project;
}

/** Matches the start of an SSH address: `ssh://git@host:22/…` or `git@host:…`. */
const SSH = /^(?:ssh:\/\/(?:[^@/]+@)?([^:/]+)(?::\d+)?\/|[^@/:]+@([^:/]+):)/;

/**
 * Returns whether two addresses name the same repository. Ignores case, the suffix `.git`, the user
 * name, and the difference between https and SSH.
 */
function isSameRemote(one: string, other: string): boolean {
  const plain = (address: string) =>
    address
      .toLocaleLowerCase('en-US')
      .replace(SSH, 'https://$1$2/')
      .replace(/^https:\/\/[^@/]+@/, 'https://')
      .replace(/(?<!\/)\/+$/, '')
      .replace(/\.git$/, '');
  return plain(one) === plain(other);
}
