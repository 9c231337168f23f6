import { z } from 'zod';

/** The maximum number of entities in a collection. */
const MAX_ENTITIES = 1_000;

/** Schema of the names of entities and namespaces that the catalog accepts. */
const entityName = z
  .string()
  .max(63)
  .regex(
    /^[A-Za-z0-9](?:[A-Za-z0-9_.-]*[A-Za-z0-9])?$/,
    'must contain only letters, digits and _ . -, and start and end with a letter or digit',
  );

const KINDS = [
  'API',
  'Component',
  'Domain',
  'Group',
  'Resource',
  'System',
  'User',
] as const;

const entitySchema = z.looseObject({
  apiVersion: z.string().max(100).default('backstage.io/v1alpha1'),
  kind: z.enum(KINDS, { error: `must be one of ${KINDS.join(', ')}` }),
  metadata: z.looseObject({
    name: entityName,
    annotations: z.record(z.string(), z.string()).default({}),
  }),
  spec: z.record(z.string(), z.json()),
});

/**
 * Body of `PUT /collections/{namespace}`: all entities of the collection, which replace the
 * existing ones.
 */
export const collectionSchema = z.object({
  entities: z
    .array(entitySchema)
    .max(MAX_ENTITIES)
    .superRefine((entities, context) => {
      const seen = new Set<string>();
      entities.forEach(({ kind, metadata }, index) => {
        const key = `${kind}:${metadata.name}`.toLocaleLowerCase('en-US');
        if (seen.has(key)) {
          context.addIssue({
            code: 'custom',
            path: [index, 'metadata', 'name'],
            message: 'is there twice for its kind',
          });
        }
        seen.add(key);
      });
    }),
});

/** An entity of a collection, without its namespace, which is the collection's. */
export type CollectedEntity = z.output<typeof entitySchema>;
