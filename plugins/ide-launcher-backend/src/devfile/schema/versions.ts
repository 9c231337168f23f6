import { DevfileFault, DevfilePath, valueAt } from '../issue';

/** The supported schema versions, oldest first. */
export const SCHEMA_VERSIONS = [
  '2.0.0',
  '2.1.0',
  '2.2.0',
  '2.2.1',
  '2.2.2',
  '2.3.0',
] as const;

/** One of {@link SCHEMA_VERSIONS}. */
export type SchemaVersion = (typeof SCHEMA_VERSIONS)[number];

/** Fields introduced after 2.0.0, both at the root and in `parent`; `[]` matches every element of a list. */
const INTRODUCED: readonly [field: string, since: SchemaVersion][] = [
  ['attributes', '2.1.0'],
  ['variables', '2.1.0'],
  ['components[].container.cpuLimit', '2.1.0'],
  ['components[].container.cpuRequest', '2.1.0'],
  ['components[].container.memoryRequest', '2.1.0'],
  ['components[].volume.ephemeral', '2.1.0'],
  ['components[].image', '2.2.0'],
  ['components[].container.annotation', '2.2.0'],
  ['components[].container.endpoints[].annotation', '2.2.0'],
  ['components[].kubernetes.deployByDefault', '2.2.0'],
  ['components[].kubernetes.endpoints[].annotation', '2.2.0'],
  ['components[].openshift.deployByDefault', '2.2.0'],
  ['components[].openshift.endpoints[].annotation', '2.2.0'],
  ['dependentProjects', '2.2.2'],
];

const GROUP_KINDS = ['exec', 'apply', 'composite'].map(
  type => `commands[].${type}.group.kind`,
);
const ENDPOINT_NAMES = ['container', 'kubernetes', 'openshift'].map(
  type => `components[].${type}.endpoints[].name`,
);
/** Since 2.2.0, an endpoint's name must be a valid Kubernetes port name. */
const MAX_ENDPOINT_NAME = 15;

interface Found {
  path: DevfilePath;
  value: unknown;
}

function select(root: Found, field: string): Found[] {
  const steps = field.replaceAll('[]', '.[]').split('.');
  return steps.reduce<Found[]>(
    (found, step) =>
      found.flatMap(({ path, value }) => {
        if (step === '[]') {
          if (!Array.isArray(value)) {
            return [];
          }
          return value.map((item, index) => ({
            path: [...path, index],
            value: item,
          }));
        }
        const next = valueAt(value, [step]);
        return next === undefined
          ? []
          : [{ path: [...path, step], value: next }];
      }),
    [root],
  );
}

function isBefore(version: SchemaVersion, other: SchemaVersion): boolean {
  return SCHEMA_VERSIONS.indexOf(version) < SCHEMA_VERSIONS.indexOf(other);
}

/**
 * Finds fields that the schema version of a devfile does not support yet. Accepts any parsed file, so
 * that its faults can be reported together with the schema's.
 */
export function checkVersion(devfile: unknown): DevfileFault[] {
  const version = SCHEMA_VERSIONS.find(
    known => known === valueAt(devfile, ['schemaVersion']),
  );
  if (!version) {
    return [];
  }
  const roots: Found[] = [
    { path: [], value: devfile },
    { path: ['parent'], value: valueAt(devfile, ['parent']) },
  ];
  const needs = (since: SchemaVersion) =>
    `needs schemaVersion ${since} or later, and the file says ${version}`;

  return roots.flatMap(root => [
    ...INTRODUCED.filter(([, since]) => isBefore(version, since)).flatMap(
      ([field, since]) =>
        select(root, field).map(({ path }) => ({
          path,
          message: needs(since),
        })),
    ),
    ...(isBefore(version, '2.2.0')
      ? GROUP_KINDS.flatMap(field => select(root, field))
          .filter(({ value }) => value === 'deploy')
          .map(({ path }) => ({
            path,
            message: `the kind 'deploy' ${needs('2.2.0')}`,
          }))
      : ENDPOINT_NAMES.flatMap(field => select(root, field))
          .filter(
            ({ value }) =>
              typeof value === 'string' && value.length > MAX_ENDPOINT_NAME,
          )
          .map(({ path }) => ({
            path,
            message: `must be at most ${MAX_ENDPOINT_NAME} characters long`,
          }))),
  ]);
}
