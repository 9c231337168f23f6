import { posix } from 'node:path';
import { DevfileFault, DevfilePath, quote } from '../issue';
import { RawDevfile, RawProject } from '../schema/devfile';

const STAY_INSIDE = 'must be a relative path that stays in its folder';

type Git = NonNullable<RawProject['git']>;

function checkCheckout(path: DevfilePath, git: Git): DevfileFault[] {
  const remotes = Object.keys(git.remotes);
  const chosen = git.checkoutFrom?.remote;
  if (chosen === undefined) {
    return remotes.length > 1
      ? [
          {
            path: [...path, 'checkoutFrom', 'remote'],
            message: `is required with several remotes (${remotes.join(', ')})`,
          },
        ]
      : [];
  }
  return remotes.includes(chosen)
    ? []
    : [
        {
          path: [...path, 'checkoutFrom', 'remote'],
          message: `no remote named ${quote(chosen)}`,
        },
      ];
}

function checkSource(
  path: DevfilePath,
  { git, zip }: Pick<RawProject, 'git' | 'zip'>,
  maxRemotes: number,
): DevfileFault[] {
  if (zip && !zip.location) {
    return [{ path: [...path, 'zip', 'location'], message: 'is required' }];
  }
  if (!git) {
    return [];
  }
  const count = Object.keys(git.remotes).length;
  const remotesPath = [...path, 'git', 'remotes'];
  if (count === 0) {
    return [{ path: remotesPath, message: 'must name at least one remote' }];
  }
  if (count > maxRemotes) {
    return [{ path: remotesPath, message: 'must name one remote only' }];
  }
  return checkCheckout([...path, 'git'], git);
}

/** Checks that sources can be fetched: they have remotes, and the one to clone is unambiguous. */
export function checkProjectSources(devfile: RawDevfile): DevfileFault[] {
  return [
    ...(['projects', 'dependentProjects'] as const).flatMap(list =>
      (devfile[list] ?? []).flatMap((project, index) =>
        checkSource([list, index], project, Infinity),
      ),
    ),
    ...(devfile.starterProjects ?? []).flatMap((project, index) =>
      checkSource(['starterProjects', index], project, 1),
    ),
    ...(devfile.components ?? []).flatMap(({ image }, index) =>
      checkSource(
        ['components', index, 'image', 'dockerfile'],
        { git: image?.dockerfile?.git },
        1,
      ),
    ),
  ];
}

/** Checks that the `subDir` of a starter project is inside its source. */
export function checkSubDirs(devfile: RawDevfile): DevfileFault[] {
  return (devfile.starterProjects ?? []).flatMap(({ subDir = '.' }, index) =>
    leavesFolder(posix.normalize(`${subDir}/`))
      ? [{ path: ['starterProjects', index, 'subDir'], message: STAY_INSIDE }]
      : [],
  );
}

function leavesFolder(folder: string): boolean {
  const escapes = folder.startsWith('/') || folder.split('/').includes('..');
  return escapes || /[\\\p{Cc}]/u.test(folder);
}

/** Checks that projects are cloned below the projects folder, each into its own folder. */
export function checkClonePaths(devfile: RawDevfile): DevfileFault[] {
  const taken = new Map<string, string>();
  return (['projects', 'dependentProjects'] as const).flatMap(list =>
    (devfile[list] ?? []).flatMap((project, index): DevfileFault[] => {
      const { name, clonePath } = project;
      const path = [list, index, 'clonePath'];
      const folder = posix.normalize(`${clonePath ?? name}/`);
      if (leavesFolder(folder)) {
        return [{ path, message: STAY_INSIDE }];
      }
      const other = taken.get(folder);
      // Duplicate names are reported separately.
      if (other !== undefined && other !== name) {
        return [
          { path, message: `is the folder of project ${quote(other)} as well` },
        ];
      }
      taken.set(folder, name);
      return [];
    }),
  );
}
