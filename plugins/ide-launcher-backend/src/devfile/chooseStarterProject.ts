import { InputError } from '@backstage/errors';
import { quote } from './issue';
import { Devfile } from './types';

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
