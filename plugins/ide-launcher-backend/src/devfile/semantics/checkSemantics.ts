import { posix } from 'node:path';
import { DevfileFault, DevfilePath, quote } from '../issue';
import { RawDevfile, RawProject } from '../schema/devfile';
import {
  checkCommandComponents,
  checkComposites,
  checkEvents,
  checkGroupDefaults,
} from './checkCommands';
import {
  checkEndpointNames,
  checkEndpointPaths,
  checkEnvironment,
  checkQuantities,
  checkTargetPorts,
  checkVolumeMounts,
} from './checkComponents';

const MAX_NAME_LENGTH = 253;
const MAX_VERSION_LENGTH = 255;

/**
 * Checks name and version of the metadata. The name, which the schema does not restrict, is displayed
 * and used in workspace names, so it must not look like a path or hide characters. The schema limits
 * the length of neither.
 */
function checkMetadata(devfile: RawDevfile): DevfileFault[] {
  return [...checkName(devfile), ...checkVersion(devfile)];
}

function checkVersion({ metadata }: RawDevfile): DevfileFault[] {
  return (metadata?.version?.length ?? 0) > MAX_VERSION_LENGTH
    ? [
        {
          path: ['metadata', 'version'],
          message: `must be at most ${MAX_VERSION_LENGTH} characters long`,
        },
      ]
    : [];
}

function checkName(devfile: RawDevfile): DevfileFault[] {
  const name = devfile.metadata?.name;
  if (name === undefined) {
    return [];
  }
  const path = ['metadata', 'name'];
  if (/[/\\\p{Cc}\p{Cf}]/u.test(name)) {
    return [
      { path, message: 'must not contain slashes or control characters' },
    ];
  }
  return name.length > MAX_NAME_LENGTH
    ? [{ path, message: `must be at most ${MAX_NAME_LENGTH} characters long` }]
    : [];
}

function findDuplicates(
  list: string,
  field: 'name' | 'id',
  values: string[],
): DevfileFault[] {
  return values.flatMap((value, index) => {
    const first = values.indexOf(value);
    return first === index
      ? []
      : [
          {
            path: [list, index, field],
            message: `${quote(value)} is already used by ${list}[${first}]`,
          },
        ];
  });
}

/** Checks that names and ids are unique within their list. */
function checkNames(devfile: RawDevfile): DevfileFault[] {
  const names = (items: { name: string }[] = []) => items.map(i => i.name);
  return [
    ...findDuplicates('components', 'name', names(devfile.components)),
    ...findDuplicates(
      'commands',
      'id',
      (devfile.commands ?? []).map(({ id }) => id),
    ),
    ...findDuplicates('projects', 'name', names(devfile.projects)),
    ...findDuplicates(
      'dependentProjects',
      'name',
      names(devfile.dependentProjects),
    ),
    ...findDuplicates(
      'starterProjects',
      'name',
      names(devfile.starterProjects),
    ),
  ];
}

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
function checkProjectSources(devfile: RawDevfile): DevfileFault[] {
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
function checkSubDirs(devfile: RawDevfile): DevfileFault[] {
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
function checkClonePaths(devfile: RawDevfile): DevfileFault[] {
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

const CHECKS: readonly ((devfile: RawDevfile) => DevfileFault[])[] = [
  checkMetadata,
  checkNames,
  checkVolumeMounts,
  checkEndpointNames,
  checkTargetPorts,
  checkEndpointPaths,
  checkQuantities,
  checkEnvironment,
  checkCommandComponents,
  checkComposites,
  checkGroupDefaults,
  checkEvents,
  checkProjectSources,
  checkClonePaths,
  checkSubDirs,
];

/**
 * Checks the rules of the devfile specification that its schema cannot express. Expects a
 * devfile with its parent merged and its variables replaced.
 */
export function checkSemantics(devfile: RawDevfile): DevfileFault[] {
  return CHECKS.flatMap(check => check(devfile));
}
