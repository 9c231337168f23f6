import { z } from 'zod';
import {
  attributes,
  command,
  commandOverride,
  component,
  componentOverride,
  exactlyOneOf,
  project,
  projectOverride,
  starterProject,
  starterProjectOverride,
  stringMap,
} from './elements';
import { SCHEMA_VERSIONS } from './versions';

/** The devfile schema's pattern for semantic versions. */
const SEMVER =
  /^([0-9]+)\.([0-9]+)\.([0-9]+)(-[0-9a-z-]+(\.[0-9a-z-]+)*)?(\+[0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*)?$/;

const metadata = z.looseObject({
  name: z.string().optional(),
  version: z
    .string()
    .regex(SEMVER, { error: 'must be a version such as 1.2.3 or 1.2.3-beta' })
    .optional(),
  displayName: z.string().optional(),
  description: z.string().optional(),
  language: z.string().optional(),
  projectType: z.string().optional(),
  provider: z.string().optional(),
  icon: z.string().optional(),
  website: z.string().optional(),
  supportUrl: z.string().optional(),
  globalMemoryLimit: z.string().optional(),
  tags: z.array(z.string()).optional(),
  architectures: z
    .array(z.enum(['amd64', 'arm64', 'ppc64le', 's390x']))
    .refine(list => new Set(list).size === list.length, {
      error: 'must not name an architecture twice',
    })
    .optional(),
  attributes: attributes.optional(),
});

const eventCommands = z.array(z.string()).optional();

const events = z.strictObject({
  preStart: eventCommands,
  postStart: eventCommands,
  preStop: eventCommands,
  postStop: eventCommands,
});

const parent = exactlyOneOf(
  z.strictObject({
    uri: z.string().optional(),
    id: z.string().optional(),
    registryUrl: z.string().optional(),
    version: z.string().optional(),
    kubernetes: z
      .strictObject({ name: z.string(), namespace: z.string().optional() })
      .optional(),
    attributes: attributes.optional(),
    variables: stringMap.optional(),
    components: z.array(componentOverride).optional(),
    commands: z.array(commandOverride).optional(),
    projects: z.array(projectOverride).optional(),
    dependentProjects: z.array(projectOverride).optional(),
    starterProjects: z.array(starterProjectOverride).optional(),
  }),
  ['uri', 'id', 'kubernetes'],
);

/**
 * The devfile schema, written for better messages. It accepts the same files as the official
 * JSON schema, which `oracle.test.ts` checks. Fields that a version does not support yet are
 * handled in `versions.ts`.
 *
 * @see https://devfile.io/docs/2.2.2/devfile-schema
 */
export const devfileSchema = z.strictObject({
  schemaVersion: z.enum(SCHEMA_VERSIONS),
  metadata: metadata.optional(),
  attributes: attributes.optional(),
  variables: stringMap.optional(),
  parent: parent.optional(),
  components: z.array(component).optional(),
  commands: z.array(command).optional(),
  projects: z.array(project).optional(),
  dependentProjects: z.array(project).optional(),
  starterProjects: z.array(starterProject).optional(),
  events: events.optional(),
});

/** A devfile of valid shape, without defaults. */
export type RawDevfile = z.infer<typeof devfileSchema>;
/** A devfile without a parent, or with its parent merged. */
export type MergedDevfile = Omit<RawDevfile, 'parent'>;
/** An element of `components` as written. */
export type RawComponent = z.infer<typeof component>;
/** An element of `commands` as written. */
export type RawCommand = z.infer<typeof command>;
/** An element of `projects` as written. */
export type RawProject = z.infer<typeof project>;
/** An element of `starterProjects` as written. */
export type RawStarterProject = z.infer<typeof starterProject>;
/** The `parent` section as written. */
export type RawParent = z.infer<typeof parent>;
