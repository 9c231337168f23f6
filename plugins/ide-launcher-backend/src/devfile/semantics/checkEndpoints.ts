import { DevfileFault, DevfilePath, quote } from '../issue';
import { RawDevfile } from '../schema/devfile';

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

/** Endpoint names are unique over all components. */
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
 * Ports are TCP or UDP ports, and no two containers use the same: they share
 * one network. One container may name a port twice, with different paths.
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

/** Paths of endpoints, as browsers read them, do not lead to what is beside the endpoint. */
export function checkEndpointPaths(devfile: RawDevfile): DevfileFault[] {
  return listEndpoints(devfile).flatMap(({ path, urlPath }) =>
    leadsOut(urlPath)
      ? [
          {
            path: [...path, 'path'],
            message: 'must be a path that stays below its endpoint',
          },
        ]
      : [],
  );
}

/** Browsers read `%2e%2e` as `..` and a backslash as a slash, and drop control characters. */
function leadsOut(urlPath: string): boolean {
  const root = 'http://endpoint/root/';
  const address = root + urlPath.replace(/^\/+/, '');
  return (
    /\p{Cc}/u.test(urlPath) ||
    !URL.canParse(address) ||
    !new URL(address).href.startsWith(root)
  );
}
