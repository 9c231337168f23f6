import { InputError } from '@backstage/errors';
import { quote } from './issue';
import { Devfile } from './types';

/** A branch, tag or commit that is safe to pass to git. */
export const GIT_REVISION = /^[A-Za-z0-9](?!.*\.\.)(?!.*@\{)[\w./+@-]{0,254}$/;

/**
 * Returns a devfile whose first Git project is checked out at a revision.
 *
 * @throws InputError if it has no Git project.
 */
export function chooseRevision(devfile: Devfile, revision: string): Devfile {
  const { flat, projects } = devfile;
  const chosen = firstGitProject(devfile);
  if (!chosen) {
    throw new InputError('revision: the devfile has no Git project');
  }
  return {
    ...devfile,
    projects: projects.map(project =>
      project === chosen ? { ...chosen, revision } : project,
    ),
    ...(flat && {
      flat: {
        ...flat,
        projects: flat.projects?.map(project =>
          project.name === chosen.name && project.git
            ? {
                ...project,
                git: {
                  ...project.git,
                  checkoutFrom: { ...project.git.checkoutFrom, revision },
                },
              }
            : project,
        ),
      },
    }),
  };
}

/** The attribute that selects a starter project for the DevWorkspace Operator. */
const STARTER_ATTRIBUTE = 'controller.devfile.io/use-starter-project';

/**
 * Returns a devfile with one of its starter projects added to its projects.
 *
 * @throws InputError if the starter project does not exist, or a project of that name already
 * does.
 */
export function chooseStarterProject(devfile: Devfile, name: string): Devfile {
  const { flat, projects, starterProjects } = devfile;
  const starter = starterProjects.find(candidate => candidate.name === name);
  if (!starter) {
    const names = starterProjects.map(candidate => candidate.name).join(', ');
    throw new InputError(
      `starterProject: the devfile has none named ${quote(name)}; ${
        names ? `it has ${names}` : 'it has no starter projects'
      }`,
    );
  }
  if (projects.some(project => (project.clonePath ?? project.name) === name)) {
    throw new InputError(
      `starterProject: ${quote(name)} is already the folder of a project`,
    );
  }
  const { description, ...project } = starter;
  return {
    ...devfile,
    projects: [...projects, project],
    ...(flat && {
      flat: {
        ...flat,
        attributes: { ...flat.attributes, [STARTER_ATTRIBUTE]: name },
      },
    }),
  };
}

/** Returns the name of the starter project that was added to a devfile's projects; null if none was. */
export function chosenStarterProject({
  flat,
  projects,
  starterProjects,
}: Devfile): string | null {
  const name = projects.at(-1)?.name;
  const isChosen =
    starterProjects.some(starter => starter.name === name) &&
    // A devfile may have a project with the name of a starter project.
    (!flat || flat.attributes?.[STARTER_ATTRIBUTE] === name);
  return isChosen && name !== undefined ? name : null;
}

/**
 * Describes in a sentence how the revision of the first Git project has changed.
 *
 * @returns undefined if it is unchanged, if `before` names none, or if the projects differ in name.
 */
export function describeRevisionChange(
  before: Devfile,
  after: Devfile,
): string | undefined {
  const was = firstGitProject(before);
  const is = firstGitProject(after);
  if (!was?.revision || is?.name !== was.name || is.revision === was.revision) {
    return undefined;
  }
  const now = is.revision ? `"${is.revision}"` : 'the default branch';
  return `Project "${is.name}" was at revision "${was.revision}"; the devfile has ${now}`;
}

function firstGitProject({ projects }: Devfile) {
  return projects.find(project => project.type === 'git');
}
