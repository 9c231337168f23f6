import { DevfileFault, DevfilePath, quote } from '../issue';
import { RawDevfile } from '../schema/devfile';
import { parseQuantity } from './quantity';

/** Variables reserved by the specification; the runtime sets them. */
const RESERVED = new Set(['PROJECTS_ROOT', 'PROJECT_SOURCE']);
/** Names accepted by `execve` and shells: no `=`, no NUL, not empty. */
const VARIABLE_NAME = /^[^=\p{Cc}\s]+$/u;

function describeVariable(name: string, value: string): string | null {
  if (RESERVED.has(name)) {
    return `${quote(name)} is set by the platform and cannot be changed`;
  }
  if (!VARIABLE_NAME.test(name)) {
    return `${quote(name)} cannot be the name of an environment variable`;
  }
  return value.includes('\0')
    ? `the value of ${quote(name)} must not contain a NUL character`
    : null;
}

/** Checks that environment variables have valid names that are not reserved. */
export function checkEnvironment(devfile: RawDevfile): DevfileFault[] {
  const lists = [
    ...(devfile.components ?? []).map(({ container }, index) => ({
      path: ['components', index, 'container', 'env'],
      env: container?.env,
    })),
    ...(devfile.commands ?? []).map(({ exec }, index) => ({
      path: ['commands', index, 'exec', 'env'],
      env: exec?.env,
    })),
  ];
  return lists.flatMap(({ path, env = [] }) =>
    env.flatMap(({ name, value }, position) => {
      const message = describeVariable(name, value);
      return message ? [{ path: [...path, position, 'name'], message }] : [];
    }),
  );
}

/** Checks that volume mounts name a volume component. */
export function checkVolumeMounts(devfile: RawDevfile): DevfileFault[] {
  const { components = [] } = devfile;
  const volumes = new Set(
    components.filter(({ volume }) => volume).map(({ name }) => name),
  );
  return components.flatMap(({ container }, index) =>
    (container?.volumeMounts ?? []).flatMap(({ name }, position) =>
      volumes.has(name)
        ? []
        : [
            {
              path: [
                'components',
                index,
                'container',
                'volumeMounts',
                position,
                'name',
              ],
              message: `no volume component named ${quote(name)}`,
            },
          ],
    ),
  );
}

interface PlacedEndpoint {
  path: DevfilePath;
  component: string;
  isContainer: boolean;
  name: string;
  targetPort: number;
  urlPath: string;
}

function listEndpoints(devfile: RawDevfile): PlacedEndpoint[] {
  return (devfile.components ?? []).flatMap((component, index) =>
    (['container', 'kubernetes', 'openshift'] as const).flatMap(type =>
      (component[type]?.endpoints ?? []).map(
        ({ name, targetPort, path }, position) => ({
          path: ['components', index, type, 'endpoints', position],
          component: component.name,
          isContainer: type === 'container',
          name,
          targetPort,
          urlPath: path ?? '/',
        }),
      ),
    ),
  );
}

/** Checks that endpoint names are unique across all components. */
export function checkEndpointNames(devfile: RawDevfile): DevfileFault[] {
  const owners = new Map<string, string>();
  return listEndpoints(devfile).flatMap(({ name, component, path }) => {
    const owner = owners.get(name);
    if (owner === undefined) {
      owners.set(name, component);
      return [];
    }
    return [
      {
        path: [...path, 'name'],
        message: `${quote(name)} is already an endpoint of component ${quote(
          owner,
        )}`,
      },
    ];
  });
}

/**
 * Checks that ports are valid TCP or UDP ports, and that no two containers use the same one:
 * they share one network. One container may use a port twice, with different paths.
 */
export function checkTargetPorts(devfile: RawDevfile): DevfileFault[] {
  const owners = new Map<number, string>();
  return listEndpoints(devfile).flatMap((endpoint): DevfileFault[] => {
    const { component, isContainer, targetPort } = endpoint;
    const path = [...endpoint.path, 'targetPort'];
    if (targetPort < 1 || targetPort > 65_535) {
      return [{ path, message: 'must be a port from 1 to 65535' }];
    }
    if (!isContainer) {
      return [];
    }
    const owner = owners.get(targetPort) ?? component;
    owners.set(targetPort, owner);
    if (owner === component) {
      return [];
    }
    return [
      {
        path,
        message: `port ${targetPort} is already used by component ${quote(
          owner,
        )}`,
      },
    ];
  });
}

/** Checks that paths of endpoints, as browsers resolve them, do not leave the endpoint. */
export function checkEndpointPaths(devfile: RawDevfile): DevfileFault[] {
  return listEndpoints(devfile).flatMap(({ path, urlPath }) =>
    leavesEndpoint(urlPath)
      ? [
          {
            path: [...path, 'path'],
            message: 'must be a path below its endpoint',
          },
        ]
      : [],
  );
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

function describeQuantity(text: string): string {
  return `must be a quantity such as 512Mi or 500m, and is ${quote(text)}`;
}

/** Checks that memory, CPU and sizes are Kubernetes quantities, and that requests do not exceed limits. */
export function checkQuantities(devfile: RawDevfile): DevfileFault[] {
  return (devfile.components ?? []).flatMap(({ container, volume }, index) => {
    const faults: DevfileFault[] = [];
    const read = (type: string, field: string, text: string | undefined) => {
      if (text === undefined) {
        return null;
      }
      const amount = parseQuantity(text);
      if (amount === null) {
        const path = ['components', index, type, field];
        faults.push({ path, message: describeQuantity(text) });
      }
      return amount;
    };
    for (const [limitField, requestField] of LIMITS_AND_REQUESTS) {
      const limit = read('container', limitField, container?.[limitField]);
      const request = read(
        'container',
        requestField,
        container?.[requestField],
      );
      // Zero means "no limit".
      if (limit && request !== null && request > limit) {
        faults.push({
          path: ['components', index, 'container', requestField],
          message: `must not be larger than ${limitField}`,
        });
      }
    }
    read('volume', 'size', volume?.size);
    return faults;
  });
}
