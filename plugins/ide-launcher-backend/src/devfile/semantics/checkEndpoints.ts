import { DevfileFault, DevfilePath, quote } from '../issue';
import { RawDevfile } from '../schema/devfile';

interface PlacedEndpoint {
  path: DevfilePath;
  component: string;
  isContainer: boolean;
  name: string;
  targetPort: number;
}

function listEndpoints(devfile: RawDevfile): PlacedEndpoint[] {
  return (devfile.components ?? []).flatMap((component, index) =>
    (['container', 'kubernetes', 'openshift'] as const).flatMap(type =>
      (component[type]?.endpoints ?? []).map(
        ({ name, targetPort }, position) => ({
          path: ['components', index, type, 'endpoints', position],
          component: component.name,
          isContainer: type === 'container',
          name,
          targetPort,
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
    if (!isContainer) return [];
    const owner = owners.get(targetPort) ?? component;
    owners.set(targetPort, owner);
    if (owner === component) return [];
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
