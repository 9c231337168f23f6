import { RawProject, RawStarterProject } from '../schema/devfile';
import { DevfileProject, DevfileStarterProject } from '../types';

/**
 * Chooses the remote to clone from. Checked before: a project has a git or a
 * zip source, and a choice wherever there are several remotes.
 */
export function normalizeProject(
  project: RawProject | RawStarterProject,
): DevfileProject {
  const { name, git, zip } = project;
  const clonePath = ('clonePath' in project && project.clonePath) || null;
  if (!git) {
    return { name, type: 'zip', clonePath, location: zip?.location ?? '' };
  }
  const remotes = Object.entries(git.remotes).map(([remote, url]) => ({
    name: remote,
    url,
  }));
  const chosen =
    remotes.find(remote => remote.name === git.checkoutFrom?.remote) ??
    remotes[0];
  return {
    name,
    type: 'git',
    clonePath,
    remote: chosen,
    otherRemotes: remotes.filter(remote => remote !== chosen),
    revision: git.checkoutFrom?.revision ?? null,
  };
}

/** Normalizes a starter project: a {@link normalizeProject} with the fields of its own. */
export function normalizeStarterProject(
  project: RawStarterProject,
): DevfileStarterProject {
  const { description = null, subDir } = project;
  return {
    ...normalizeProject(project),
    description,
    ...(subDir ? { subDir } : {}),
  };
}
