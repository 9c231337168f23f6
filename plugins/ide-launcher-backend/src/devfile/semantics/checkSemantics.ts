import { DevfileFault, quote } from '../issue';
import { RawDevfile } from '../schema/devfile';
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
import {
  checkClonePaths,
  checkProjectSources,
  checkSubDirs,
} from './checkProjects';

const MAX_NAME_LENGTH = 253;
const MAX_VERSION_LENGTH = 255;

/**
 * Checks the metadata. The schema does not restrict `metadata.name`. It is displayed and used in
 * workspace names, so it must not look like a path or hide characters. Both the name and the
 * version are limited in length, because the schema limits neither.
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
