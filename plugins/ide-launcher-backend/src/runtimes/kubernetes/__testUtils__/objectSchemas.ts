import { readFileSync } from 'node:fs';
import path from 'node:path';
import Ajv from 'ajv';
import { parseAllDocuments } from 'yaml';
import { z } from 'zod';

/**
 * Path of the operator's CustomResourceDefinitions, which are not part of this
 * repository. If SLIPWAY_DEVWORKSPACE_CRD is the path of `crd-devworkspaces.yaml`, with
 * `crd-devworkspacetemplates.yaml` in the same directory, every object that the runtime
 * sends is validated against them.
 */
export const CRD_PATH = process.env.SLIPWAY_DEVWORKSPACE_CRD;

const TEMPLATES_FILE = 'crd-devworkspacetemplates.yaml';

type Schema = Record<string, unknown>;

const name = z.string().regex(/^[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?$/);
const label = z
  .string()
  .regex(/^([A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)?$/);

const metadata = z.looseObject({
  name,
  namespace: z
    .string()
    .regex(/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/)
    .optional(),
  labels: z.record(z.string(), label).optional(),
  annotations: z.record(z.string(), z.string()).optional(),
  ownerReferences: z
    .array(
      z.strictObject({
        apiVersion: z.string(),
        kind: z.string(),
        name,
        uid: z.uuid(),
      }),
    )
    .optional(),
});

const template = z.strictObject({
  attributes: z.record(z.string(), z.unknown()).optional(),
  commands: z.array(z.looseObject({ id: z.string() })).optional(),
  components: z.array(z.looseObject({ name })).optional(),
  dependentProjects: z.array(z.looseObject({ name })).optional(),
  events: z.record(z.string(), z.array(z.string())).optional(),
  projects: z.array(z.looseObject({ name })).optional(),
  starterProjects: z.array(z.looseObject({ name })).optional(),
});

/** Minimum schemas of all objects, used even if the definitions are absent. */
const OWN_SCHEMAS: Record<string, z.ZodType> = {
  namespaces: z.looseObject({
    apiVersion: z.literal('v1'),
    kind: z.literal('Namespace'),
    metadata,
  }),
  networkpolicies: z.looseObject({
    apiVersion: z.literal('networking.k8s.io/v1'),
    kind: z.literal('NetworkPolicy'),
    metadata,
    spec: z.strictObject({
      podSelector: z.strictObject({}),
      policyTypes: z.tuple([z.literal('Ingress')]),
      ingress: z.array(
        z.strictObject({
          from: z.array(
            z.strictObject({
              podSelector: z.strictObject({}).optional(),
              namespaceSelector: z
                .strictObject({ matchLabels: z.record(z.string(), label) })
                .optional(),
            }),
          ),
        }),
      ),
    }),
  }),
  devworkspaces: z.looseObject({
    apiVersion: z.literal('workspace.devfile.io/v1alpha2'),
    kind: z.literal('DevWorkspace'),
    metadata,
    spec: z.strictObject({
      started: z.boolean(),
      routingClass: z.string(),
      template,
      contributions: z.array(
        z.strictObject({
          name,
          kubernetes: z.strictObject({ name }),
        }),
      ),
    }),
  }),
  devworkspacetemplates: z.looseObject({
    apiVersion: z.literal('workspace.devfile.io/v1alpha2'),
    kind: z.literal('DevWorkspaceTemplate'),
    metadata: metadata.required({ ownerReferences: true }),
    spec: template,
  }),
};

/** Rejects unknown fields, which a cluster drops silently, so that nothing we send is lost. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) {
    return schema.map(closed);
  }
  if (typeof schema !== 'object' || schema === null) {
    return schema;
  }
  const copy: Schema = Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [key, closed(value)]),
  );
  if (
    copy.type === 'object' &&
    copy.properties &&
    !copy.additionalProperties &&
    !copy['x-kubernetes-preserve-unknown-fields']
  ) {
    copy.additionalProperties = false;
  }
  return copy;
}

function compileDefinition(file: string) {
  const definition = parseAllDocuments(readFileSync(file, 'utf8'))
    .map(document => document.toJS())
    .find(document => document?.kind === 'CustomResourceDefinition');
  const version = definition.spec.versions.find(
    (candidate: { name: string }) => candidate.name === 'v1alpha2',
  );
  const schema = closed(version.schema.openAPIV3Schema) as {
    properties: Record<string, unknown>;
  };
  // Every object has metadata; definitions do not describe it.
  schema.properties.metadata = { type: 'object' };
  return new Ajv({
    strict: false,
    unicodeRegExp: false,
    validateFormats: false,
  }).compile(schema);
}

const definitions = CRD_PATH
  ? {
      devworkspaces: compileDefinition(CRD_PATH),
      devworkspacetemplates: compileDefinition(
        path.join(path.dirname(CRD_PATH), TEMPLATES_FILE),
      ),
    }
  : {};

/**
 * Returns the validation errors of an object; empty if a cluster would accept it
 * completely.
 */
export function findFaults(plural: string, object: unknown): string[] {
  const own = OWN_SCHEMAS[plural]?.safeParse(object);
  const validate = (
    definitions as Record<string, ReturnType<typeof compileDefinition>>
  )[plural];
  validate?.(object);
  return [
    ...(own?.error?.issues.map(
      issue => `${issue.path.join('.')}: ${issue.message}`,
    ) ?? []),
    ...(validate?.errors?.map(
      ({ instancePath, message, params }) =>
        `${instancePath}: ${message} ${JSON.stringify(params)}`,
    ) ?? []),
  ];
}
