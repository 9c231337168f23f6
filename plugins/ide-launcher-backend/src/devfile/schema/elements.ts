import { z } from 'zod';

/** Pattern of names and ids: a DNS label that may begin with a digit. */
const NAME_PATTERN = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;

/** A name or id. */
const name = z.string().max(63).regex(NAME_PATTERN, {
  error:
    'must be lowercase letters, digits and hyphens, beginning and ending with a letter or digit',
});

/** Free-form attributes; their consumers define the shape. */
export const attributes = z.record(z.string(), z.unknown());

/** A map of strings. */
export const stringMap = z.record(z.string(), z.string());

/** An environment variable. */
const envVar = z.strictObject({ name: z.string(), value: z.string() });

/** An environment variable in an override, where the value is optional. */
const envVarOverride = envVar.partial({ value: true });

function describe(present: string[], keys: readonly string[]): string {
  const choices = keys.join(', ');
  return present.length === 0
    ? `must have one of ${choices}`
    : `must have only one of ${choices}, but has ${present.join(' and ')}`;
}

/**
 * Requires exactly one of several keys of a schema. Unlike JSON Schema's `oneOf`, which reports every
 * failed branch, reports only the actual fault, even if other fields are also invalid.
 */
export function exactlyOneOf<T extends z.ZodType>(
  schema: T,
  keys: readonly string[],
): T {
  const present = (value: unknown) =>
    typeof value === 'object' && value !== null
      ? keys.filter(key => Object.hasOwn(value, key))
      : null;
  return schema.refine(value => (present(value)?.length ?? 1) === 1, {
    error: issue => describe(present(issue.input) ?? [], keys),
    when: () => true,
  });
}

const PROJECT_SOURCES = ['git', 'zip'] as const;

/** A git source. Also used for the source of a Dockerfile. */
const gitSource = z.strictObject({
  remotes: stringMap,
  checkoutFrom: z
    .strictObject({
      remote: z.string().optional(),
      revision: z.string().optional(),
    })
    .optional(),
});

/** A git source in an override, where the remotes are optional. */
const gitOverride = gitSource.partial({ remotes: true });

const zipSource = z.strictObject({ location: z.string().optional() });

const projectFields = z.strictObject({
  name,
  attributes: attributes.optional(),
  clonePath: z.string().optional(),
  git: gitSource.optional(),
  zip: zipSource.optional(),
});

const starterProjectFields = z.strictObject({
  name,
  attributes: attributes.optional(),
  description: z.string().optional(),
  subDir: z.string().optional(),
  git: gitSource.optional(),
  zip: zipSource.optional(),
});

/** An element of `projects` and of `dependentProjects`. */
export const project = exactlyOneOf(projectFields, PROJECT_SOURCES);

/** An element of `parent.projects` and of `parent.dependentProjects`. */
export const projectOverride = exactlyOneOf(
  projectFields.extend({ git: gitOverride.optional() }),
  PROJECT_SOURCES,
);

/** An element of `starterProjects`. */
export const starterProject = exactlyOneOf(
  starterProjectFields,
  PROJECT_SOURCES,
);

/** An element of `parent.starterProjects`. */
export const starterProjectOverride = exactlyOneOf(
  starterProjectFields.extend({ git: gitOverride.optional() }),
  PROJECT_SOURCES,
);

/** The forms of a command. */
export const COMMAND_TYPES = ['exec', 'apply', 'composite'] as const;

const group = z.strictObject({
  kind: z.enum(['build', 'run', 'test', 'debug', 'deploy']),
  isDefault: z.boolean().optional(),
});
const groupOverride = group.partial({ kind: true });

const exec = z.strictObject({
  commandLine: z.string(),
  component: z.string(),
  env: z.array(envVar).optional(),
  group: group.optional(),
  hotReloadCapable: z.boolean().optional(),
  label: z.string().optional(),
  workingDir: z.string().optional(),
});

const apply = z.strictObject({
  component: z.string(),
  group: group.optional(),
  label: z.string().optional(),
});

const composite = z.strictObject({
  commands: z.array(z.string()).optional(),
  group: group.optional(),
  label: z.string().optional(),
  parallel: z.boolean().optional(),
});

/** An element of `commands`. */
export const command = exactlyOneOf(
  z.strictObject({
    id: name,
    attributes: attributes.optional(),
    exec: exec.optional(),
    apply: apply.optional(),
    composite: composite.optional(),
  }),
  COMMAND_TYPES,
);

/** An element of `parent.commands`. */
export const commandOverride = exactlyOneOf(
  z.strictObject({
    id: name,
    attributes: attributes.optional(),
    exec: exec
      .partial({ commandLine: true, component: true })
      .extend({
        env: z.array(envVarOverride).optional(),
        group: groupOverride.optional(),
      })
      .optional(),
    apply: apply
      .partial({ component: true })
      .extend({ group: groupOverride.optional() })
      .optional(),
    composite: composite.extend({ group: groupOverride.optional() }).optional(),
  }),
  COMMAND_TYPES,
);

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
