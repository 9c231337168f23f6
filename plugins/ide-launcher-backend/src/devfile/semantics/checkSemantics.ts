import { posix } from 'node:path';
import { DevfileFault, DevfilePath, quote } from '../issue';
import { keyOf, keysOf, MERGED_LISTS } from '../mergeParent';
import { RawDevfile, RawProject } from '../schema/devfile';
import { checkCommands } from './checkCommands';
import { parseQuantity } from './quantity';

const MAX_NAME_LENGTH = 253;
const MAX_VERSION_LENGTH = 255;

/**
 * Checks name and version of the metadata. The name, which the schema does not restrict, is displayed
 * and used in workspace names, so it must not look like a path or hide characters. The schema limits
 * the length of neither.
 */
function* checkMetadata({ metadata }: RawDevfile): Iterable<DevfileFault> {
  const { name = '', version = '' } = metadata ?? {};
  const path = ['metadata', 'name'];
  if (/[/\\\p{Cc}\p{Cf}]/u.test(name)) {
    yield { path, message: 'must not contain slashes or control characters' };
  } else if (name.length > MAX_NAME_LENGTH) {
    const message = `must be at most ${MAX_NAME_LENGTH} characters long`;
    yield { path, message };
  }
  if (version.length > MAX_VERSION_LENGTH) {
    const message = `must be at most ${MAX_VERSION_LENGTH} characters long`;
    yield { path: ['metadata', 'version'], message };
  }
}

/** Checks that names and ids are unique within their list. */
function* checkNames(devfile: RawDevfile): Iterable<DevfileFault> {
  for (const list of MERGED_LISTS) {
    const keys = keysOf(devfile, list);
    for (const [index, key] of keys.entries()) {
      const first = keys.indexOf(key);
      if (first < index) {
        const message = `${quote(key)} is already used by ${list}[${first}]`;
        yield { path: [list, index, keyOf(list)], message };
      }
    }
  }
}

/** Checks that volume mounts name a volume component. */
function* checkVolumeMounts(devfile: RawDevfile): Iterable<DevfileFault> {
  const { components = [] } = devfile;
  const volumes = new Set(
    components.filter(({ volume }) => volume).map(({ name }) => name),
  );
  for (const [index, { container }] of components.entries()) {
    const path = ['components', index, 'container', 'volumeMounts'];
    for (const [position, { name }] of (
      container?.volumeMounts ?? []
    ).entries()) {
      if (!volumes.has(name)) {
        const message = `no volume component named ${quote(name)}`;
        yield { path: [...path, position, 'name'], message };
      }
    }
  }
}

/** Lists the endpoints of all components, with their paths. */
function listEndpoints({ components = [] }: RawDevfile) {
  return components.flatMap((component, index) =>
    (['container', 'kubernetes', 'openshift'] as const).flatMap(type =>
      (component[type]?.endpoints ?? []).map((endpoint, position) => ({
        endpoint,
        at: ['components', index, type, 'endpoints', position],
        component: component.name,
        isContainer: type === 'container',
      })),
    ),
  );
}

/** Checks that endpoint names are unique across all components. */
function* checkEndpointNames(devfile: RawDevfile): Iterable<DevfileFault> {
  const owners = new Map<string, string>();
  for (const { at, component, endpoint } of listEndpoints(devfile)) {
    const name = quote(endpoint.name);
    const owner = owners.get(endpoint.name);
    if (owner === undefined) {
      owners.set(endpoint.name, component);
    } else {
      const message = `${name} is already an endpoint of component ${quote(owner)}`;
      yield { path: [...at, 'name'], message };
    }
  }
}

/**
 * Checks that ports are valid TCP or UDP ports, and that no two containers use the same port, because
 * they share one network. One container may use a port for several endpoints with different paths.
 */
function* checkTargetPorts(devfile: RawDevfile): Iterable<DevfileFault> {
  const owners = new Map<number, string>();
  for (const { at, component, ...found } of listEndpoints(devfile)) {
    const { targetPort } = found.endpoint;
    const path = [...at, 'targetPort'];
    if (targetPort < 1 || targetPort > 65_535) {
      yield { path, message: 'must be a port from 1 to 65535' };
    } else if (found.isContainer) {
      const owner = owners.get(targetPort) ?? component;
      owners.set(targetPort, owner);
      if (owner !== component) {
        const message = `port ${targetPort} is already used by component ${quote(owner)}`;
        yield { path, message };
      }
    }
  }
}

/** Checks that paths of endpoints, as browsers resolve them, do not leave the endpoint. */
function* checkEndpointPaths(devfile: RawDevfile): Iterable<DevfileFault> {
  for (const { at, endpoint } of listEndpoints(devfile)) {
    if (leavesEndpoint(endpoint.path ?? '/')) {
      const message = 'must be a path below its endpoint';
      yield { path: [...at, 'path'], message };
    }
  }
}

/**
 * Returns whether a path leaves its endpoint. Browsers treat `%2e%2e` as `..` and a backslash as
 * a slash, and drop control characters.
 */
function leavesEndpoint(urlPath: string): boolean {
  const root = 'http://endpoint/root/';
  const address = root + urlPath.replace(/^\/+/, '');
  return (
    /\p{Cc}/u.test(urlPath) ||
    !URL.canParse(address) ||
    !new URL(address).href.startsWith(root)
  );
}

const LIMITS_AND_REQUESTS = [
  ['memoryLimit', 'memoryRequest'],
  ['cpuLimit', 'cpuRequest'],
] as const;

/** Checks that memory, CPU and sizes are Kubernetes quantities, and that requests do not exceed limits. */
function* checkQuantities(devfile: RawDevfile): Iterable<DevfileFault> {
  for (const [index, component] of (devfile.components ?? []).entries()) {
    const { container, volume } = component;
    const path = ['components', index, 'container'];
    for (const [limitField, requestField] of LIMITS_AND_REQUESTS) {
      const limit = container?.[limitField];
      const request = container?.[requestField];
      yield* checkQuantity([...path, limitField], limit);
      yield* checkQuantity([...path, requestField], request);
      const most = limit && parseQuantity(limit);
      // Zero means "no limit".
      if (most && request && (parseQuantity(request) ?? 0) > most) {
        const message = `must not be larger than ${limitField}`;
        yield { path: [...path, requestField], message };
      }
    }
    yield* checkQuantity(['components', index, 'volume', 'size'], volume?.size);
  }
}

function* checkQuantity(
  path: DevfilePath,
  text: string | undefined,
): Iterable<DevfileFault> {
  if (text !== undefined && parseQuantity(text) === null) {
    const message = `must be a quantity such as 512Mi or 500m, and is ${quote(text)}`;
    yield { path, message };
  }
}

type Git = NonNullable<RawProject['git']>;

/** Checks that sources can be fetched: they have remotes, and the one to clone is unambiguous. */
function* checkProjectSources(devfile: RawDevfile): Iterable<DevfileFault> {
  for (const list of [
    'projects',
    'dependentProjects',
    'starterProjects',
  ] as const) {
    const maxRemotes = list === 'starterProjects' ? 1 : Infinity;
    for (const [index, { git, zip }] of (devfile[list] ?? []).entries()) {
      if (zip && !zip.location) {
        yield {
          path: [list, index, 'zip', 'location'],
          message: 'is required',
        };
      } else if (git) {
        yield* checkGit([list, index, 'git'], git, maxRemotes);
      }
    }
  }
  for (const [index, { image }] of (devfile.components ?? []).entries()) {
    const git = image?.dockerfile?.git;
    if (git) {
      const path = ['components', index, 'image', 'dockerfile', 'git'];
      yield* checkGit(path, git, 1);
    }
  }
}

function* checkGit(
  path: DevfilePath,
  { checkoutFrom, remotes }: Git,
  maxRemotes: number,
): Iterable<DevfileFault> {
  const names = Object.keys(remotes);
  const chosen = checkoutFrom?.remote;
  const chosenPath = [...path, 'checkoutFrom', 'remote'];
  if (names.length === 0) {
    yield {
      path: [...path, 'remotes'],
      message: 'must name at least one remote',
    };
  } else if (names.length > maxRemotes) {
    yield { path: [...path, 'remotes'], message: 'must name one remote only' };
  } else if (chosen === undefined && names.length > 1) {
    const message = `is required with several remotes (${names.join(', ')})`;
    yield { path: chosenPath, message };
  } else if (chosen !== undefined && !names.includes(chosen)) {
    yield { path: chosenPath, message: `no remote named ${quote(chosen)}` };
  }
}

const STAY_INSIDE = 'must be a relative path that stays in its folder';

/** Checks that projects are cloned below the projects folder, each into its own folder. */
function* checkClonePaths(devfile: RawDevfile): Iterable<DevfileFault> {
  const taken = new Map<string, string>();
  for (const list of ['projects', 'dependentProjects'] as const) {
    for (const [index, { clonePath, name }] of (
      devfile[list] ?? []
    ).entries()) {
      const path = [list, index, 'clonePath'];
      const folder = posix.normalize(`${clonePath ?? name}/`);
      const other = taken.get(folder);
      if (leavesFolder(folder)) {
        yield { path, message: STAY_INSIDE };
      } else if (other !== undefined && other !== name) {
        const message = `is the folder of project ${quote(other)} as well`;
        yield { path, message };
      } else {
        // Duplicate names are reported separately.
        taken.set(folder, name);
      }
    }
  }
}

/** Checks that the `subDir` of a starter project is inside its source. */
function* checkSubDirs(devfile: RawDevfile): Iterable<DevfileFault> {
  for (const [index, { subDir = '.' }] of (
    devfile.starterProjects ?? []
  ).entries()) {
    if (leavesFolder(posix.normalize(`${subDir}/`))) {
      const path = ['starterProjects', index, 'subDir'];
      yield { path, message: STAY_INSIDE };
    }
  }
}

function leavesFolder(folder: string): boolean {
  const escapes = folder.startsWith('/') || folder.split('/').includes('..');
  return escapes || /[\\\p{Cc}]/u.test(folder);
}

const CHECKS: readonly ((devfile: RawDevfile) => Iterable<DevfileFault>)[] = [
  checkMetadata,
  checkNames,
  checkVolumeMounts,
  checkEndpointNames,
  checkTargetPorts,
  checkEndpointPaths,
  checkQuantities,
  checkCommands,
  checkProjectSources,
  checkClonePaths,
  checkSubDirs,
];

/**
 * Checks the rules of the devfile specification that its schema cannot express. Expects a
 * devfile with its parent merged and its variables replaced.
 */
export function checkSemantics(devfile: RawDevfile): DevfileFault[] {
  return CHECKS.flatMap(check => [...check(devfile)]);
}
