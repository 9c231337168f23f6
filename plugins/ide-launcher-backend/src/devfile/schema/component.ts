import { z } from 'zod';
import { exactlyOneOf } from './exactlyOneOf';
import {
  attributes,
  envVar,
  envVarOverride,
  name,
  stringMap,
} from './primitives';
import { gitOverride, gitSource } from './project';

/** The forms of a component. */
export const COMPONENT_TYPES = [
  'container',
  'kubernetes',
  'openshift',
  'volume',
  'image',
] as const;

const endpoint = z.strictObject({
  name,
  targetPort: z.int(),
  exposure: z.enum(['public', 'internal', 'none']).optional(),
  protocol: z.enum(['http', 'https', 'ws', 'wss', 'tcp', 'udp']).optional(),
  path: z.string().optional(),
  secure: z.boolean().optional(),
  annotation: stringMap.optional(),
  attributes: attributes.optional(),
});
const endpointOverride = endpoint.partial({ targetPort: true });

const container = z.strictObject({
  image: z.string(),
  args: z.array(z.string()).optional(),
  command: z.array(z.string()).optional(),
  cpuLimit: z.string().optional(),
  cpuRequest: z.string().optional(),
  memoryLimit: z.string().optional(),
  memoryRequest: z.string().optional(),
  dedicatedPod: z.boolean().optional(),
  mountSources: z.boolean().optional(),
  sourceMapping: z.string().optional(),
  endpoints: z.array(endpoint).optional(),
  env: z.array(envVar).optional(),
  volumeMounts: z
    .array(z.strictObject({ name, path: z.string().optional() }))
    .optional(),
  annotation: z
    .strictObject({
      deployment: stringMap.optional(),
      service: stringMap.optional(),
    })
    .optional(),
});
const containerOverride = container.partial({ image: true }).extend({
  endpoints: z.array(endpointOverride).optional(),
  env: z.array(envVarOverride).optional(),
});

const CLUSTER_SOURCES = ['uri', 'inlined'] as const;
const cluster = z.strictObject({
  uri: z.string().optional(),
  inlined: z.string().optional(),
  deployByDefault: z.boolean().optional(),
  endpoints: z.array(endpoint).optional(),
});
const clusterOverride = cluster.extend({
  endpoints: z.array(endpointOverride).optional(),
});

const DOCKERFILE_SOURCES = ['uri', 'devfileRegistry', 'git'] as const;
const registrySource = z.strictObject({
  id: z.string(),
  registryUrl: z.string().optional(),
});
const dockerfile = z.strictObject({
  args: z.array(z.string()).optional(),
  buildContext: z.string().optional(),
  rootRequired: z.boolean().optional(),
  uri: z.string().optional(),
  devfileRegistry: registrySource.optional(),
  git: gitSource.extend({ fileLocation: z.string().optional() }).optional(),
});
const dockerfileOverride = dockerfile.extend({
  devfileRegistry: registrySource.partial({ id: true }).optional(),
  git: gitOverride.extend({ fileLocation: z.string().optional() }).optional(),
});

const image = z.strictObject({
  imageName: z.string(),
  autoBuild: z.boolean().optional(),
  dockerfile: exactlyOneOf(dockerfile, DOCKERFILE_SOURCES).optional(),
});
const imageOverride = image.partial({ imageName: true }).extend({
  dockerfile: exactlyOneOf(dockerfileOverride, DOCKERFILE_SOURCES).optional(),
});

const volume = z.strictObject({
  size: z.string().optional(),
  ephemeral: z.boolean().optional(),
});

/** An element of `components`. */
export const component = exactlyOneOf(
  z.strictObject({
    name,
    attributes: attributes.optional(),
    container: container.optional(),
    kubernetes: exactlyOneOf(cluster, CLUSTER_SOURCES).optional(),
    openshift: exactlyOneOf(cluster, CLUSTER_SOURCES).optional(),
    volume: volume.optional(),
    image: exactlyOneOf(image, ['dockerfile']).optional(),
  }),
  COMPONENT_TYPES,
);

/** An element of `parent.components`. */
export const componentOverride = exactlyOneOf(
  z.strictObject({
    name,
    attributes: attributes.optional(),
    container: containerOverride.optional(),
    kubernetes: exactlyOneOf(clusterOverride, CLUSTER_SOURCES).optional(),
    openshift: exactlyOneOf(clusterOverride, CLUSTER_SOURCES).optional(),
    volume: volume.optional(),
    image: exactlyOneOf(imageOverride, ['dockerfile', 'autoBuild']).optional(),
  }),
  COMPONENT_TYPES,
);
