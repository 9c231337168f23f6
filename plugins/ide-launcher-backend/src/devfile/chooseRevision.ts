import { InputError } from '@backstage/errors';
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
  const chosen = projects.find(({ type }) => type === 'git');
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
