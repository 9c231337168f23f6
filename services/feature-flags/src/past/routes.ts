import {
  instantOf,
  InvalidRequestError,
  type ServiceApp,
  Timestamp,
} from '@slipway/service-kit';
import { type Static, Type } from 'typebox';
import { Name } from '../flags/schemas.ts';
import type { Environments, Projects } from '../registers/registers.ts';
import { KeyPath } from '../registers/schemas.ts';
import type { FlagPast, PastFlag } from '../storage/FlagPast.ts';
import type { FlagAccess } from '../tokens/access.ts';

const By = Type.String({ minLength: 1, maxLength: 255 });
const Place = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 100,
    description: "Default: the service's own environment",
  }),
);
const Count = Type.Integer({ minimum: 0, maximum: 1_000_000_000 });

const ImportedFlag = Type.Object({
  name: Name,
  type: Type.String({ minLength: 1, maxLength: 64, default: 'release' }),
  description: Type.String({ maxLength: 10_000, default: '' }),
  stale: Type.Boolean({ default: false }),
  createdAt: Timestamp,
  createdBy: By,
  percentage: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 100,
      description: 'Share of users for whom it is on, if it is on',
    }),
  ),
  changes: Type.Array(
    Type.Object({
      at: Timestamp,
      by: By,
      environment: Place,
      enabled: Type.Boolean(),
    }),
    { maxItems: 1_000, default: [], description: 'Oldest first' },
  ),
  usage: Type.Array(
    Type.Object({
      at: Timestamp,
      environment: Place,
      appName: Type.String({ minLength: 1, maxLength: 200 }),
      yes: Count,
      no: Count,
    }),
    { maxItems: 10_000, default: [] },
  ),
});

// Constant schemas are compiled once per process instead of at each start of a service.
const ImportedFlags = Type.Object({
  features: Type.Array(ImportedFlag, { minItems: 1, maxItems: 500 }),
});
const Imported = Type.Object({ imported: Type.Integer() });

/** Adds the routes with which admins import flags with history, and permanently delete archived flags. */
export function pastRoutes(
  app: ServiceApp,
  options: {
    projects: Projects;
    environments: Environments;
    past: FlagPast;
    /** The default environment of changes and usage. */
    environment: string;
    access: FlagAccess;
    /** Called after each commit; refreshes the state in memory. */
    onChanged: () => Promise<void>;
    now: () => number;
  },
): void {
  const { projects, environments, past, environment, access, onChanged, now } =
    options;
  const config = { access: access.write };
  const tags = ['projects'];

  app.post(
    '/api/admin/projects/:key/imports',
    {
      config,
      schema: {
        tags,
        summary:
          'Import flags with their history and usage; known names are left out',
        params: KeyPath,
        body: ImportedFlags,
        response: { 201: Imported },
      },
    },
    async ({ params, body }, reply) => {
      const { id } = await projects.get(params.key);
      const all = await environments.list();
      const known = new Set(all.map(({ name }) => name));
      const flags = body.features.map((feature, index) =>
        toPast(feature, {
          path: `features.${index}`,
          now: now(),
          environment,
          known,
        }),
      );
      const imported = await past.add(flags, {
        project: id,
        environment,
        protectedEnvironments: all.flatMap(each =>
          each.protected ? each.name : [],
        ),
      });
      await onChanged();
      reply.code(201);
      return { imported };
    },
  );

  app.delete(
    '/api/admin/projects/:key/archive',
    {
      config,
      schema: {
        tags,
        summary:
          'Delete the archived flags of a project for good, with their history and usage',
        params: KeyPath,
        response: { 200: Type.Object({ deleted: Type.Integer() }) },
      },
    },
    async ({ params }) => {
      const { id } = await projects.get(params.key);
      const deleted = await past.deleteArchived(id);
      await onChanged();
      return { deleted };
    },
  );
}

function toPast(
  feature: Static<typeof ImportedFlag>,
  options: {
    path: string;
    now: number;
    /** The default environment of changes and usage. */
    environment: string;
    /** The names of all environments. */
    known: ReadonlySet<string>;
  },
): PastFlag {
  const { path, now, known } = options;
  const place = (environment = options.environment, field: string) => {
    if (!known.has(environment)) {
      throw new InvalidRequestError(`${path}.${field} is not an environment`, {
        field: `${path}.${field}`,
        constraint: 'enum',
      });
    }
    return environment;
  };
  const read = (text: string, field: string) => {
    const moment = instantOf(text);
    if (moment > now) {
      throw new InvalidRequestError(
        `${path}.${field} must not be in the future`,
        { field: `${path}.${field}`, constraint: 'maximum' },
      );
    }
    return moment;
  };
  const { name, type, description, stale, createdBy, percentage } = feature;
  const changes = feature.changes.map((change, index) => ({
    ...change,
    environment: place(change.environment, `changes.${index}.environment`),
    at: read(change.at, `changes.${index}.at`),
  }));
  return {
    name,
    type,
    description,
    stale,
    impressionData: false,
    dependencies: [],
    tags: [],
    links: [],
    createdAt: read(feature.createdAt, 'createdAt'),
    createdBy,
    changes,
    usage: feature.usage.map((usage, index) => ({
      ...usage,
      environment: place(usage.environment, `usage.${index}.environment`),
      at: read(usage.at, `usage.${index}.at`),
    })),
    rules: {
      variants: [],
      strategies:
        percentage === undefined
          ? []
          : [
              {
                id: `${name}-rollout`,
                name: 'flexibleRollout',
                parameters: {
                  rollout: String(percentage),
                  stickiness: 'default',
                  groupId: name,
                },
              },
            ],
    },
  };
}
