import { RawComponent } from '../schema/devfile';
import { DevfileComponent, DevfileContainer, DevfileEndpoint } from '../types';

type RawContainer = NonNullable<RawComponent['container']>;
type RawEndpoint = NonNullable<RawContainer['endpoints']>[number];

function normalizeEndpoint(endpoint: RawEndpoint): DevfileEndpoint {
  return {
    name: endpoint.name,
    targetPort: endpoint.targetPort,
    exposure: endpoint.exposure ?? 'public',
    protocol: endpoint.protocol ?? 'http',
    path: endpoint.path ?? null,
    secure: endpoint.secure ?? false,
  };
}

function normalizeContainer(container: RawContainer): DevfileContainer {
  return {
    image: container.image,
    env: container.env ?? [],
    endpoints: (container.endpoints ?? []).map(normalizeEndpoint),
    memoryLimit: container.memoryLimit ?? null,
    cpuLimit: container.cpuLimit ?? null,
    // A pod of its own has no part in the project's volume unless it asks.
    mountSources: container.mountSources ?? !container.dedicatedPod,
    sourceMapping: container.sourceMapping ?? null,
    command: container.command ?? [],
    args: container.args ?? [],
    volumeMounts: (container.volumeMounts ?? []).map(({ name, path }) => ({
      name,
      path: path ?? null,
    })),
  };
}

/** Fills the defaults of a component in. */
export function normalizeComponent(component: RawComponent): DevfileComponent {
  const { name, container, volume, kubernetes, openshift, image } = component;
  if (container) {
    return {
      name,
      type: 'container',
      container: normalizeContainer(container),
    };
  }
  if (volume) {
    const { size = null, ephemeral = false } = volume;
    return { name, type: 'volume', size, ephemeral };
  }
  if (image) {
    return { name, type: 'image', imageName: image.imageName };
  }
  const source = kubernetes ?? openshift;
  return {
    name,
    type: kubernetes ? 'kubernetes' : 'openshift',
    detail: source?.uri ?? 'inlined',
  };
}
