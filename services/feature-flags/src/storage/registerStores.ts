import { ConflictError, type Database } from '@slipway/service-kit';
import type { Knex } from 'knex';
import type { ApiToken } from '../model/ApiToken.ts';
import type {
  ContextField,
  Environment,
  Project,
  TagType,
} from '../model/Registers.ts';
import { RegisterStore } from './RegisterStore.ts';
import { raiseRevision } from './revisions.ts';

type EnvironmentToken = Pick<ApiToken, 'name' | 'environment'>;

/** Fields that every SDK sets automatically. */
const BUILT_IN: readonly string[] = [
  'userId',
  'appName',
  'environment',
  'currentTime',
  'sessionId',
];

/**
 * Opens the stores of environments, projects, context fields and types of tags.
 *
 * @param options.environment - the service's own environment, which cannot be deleted.
 * @param options.configured - tokens of the configuration, whose environments cannot be deleted.
 */
export function openRegisterStores(options: {
  database: Database;
  environment: string;
  configured: readonly EnvironmentToken[];
}): {
  environments: RegisterStore<Environment>;
  projects: RegisterStore<Project>;
  contextFields: RegisterStore<ContextField>;
  tagTypes: RegisterStore<TagType>;
} {
  const { database, environment, configured } = options;
  return {
    environments: new RegisterStore<Environment>(database, {
      table: 'environments',
      kind: 'environment',
      key: 'name',
      order: ['sort_order', 'name'],
      keyOf: ({ name }) => name,
      toRow: ({ name, type, sortOrder, enabled, ...approval }) => ({
        name,
        type,
        sort_order: sortOrder,
        enabled,
        protected: approval.protected,
        required_approvals: approval.requiredApprovals,
      }),
      toRecord: row => ({
        name: String(row.name),
        type: String(row.type),
        sortOrder: Number(row.sort_order),
        enabled: Boolean(row.enabled),
        protected: Boolean(row.protected),
        requiredApprovals: Number(row.required_approvals),
      }),
      beforeRemoval: (trx, name) =>
        removeStates(trx, name, { own: environment, configured }),
    }),
    projects: new RegisterStore<Project>(database, {
      table: 'projects',
      kind: 'project',
      key: 'id',
      order: ['id'],
      keyOf: ({ id }) => id,
      toRow: ({ id, name, description, owner }) => ({
        id,
        name,
        description,
        owner,
      }),
      toRecord: row => ({
        id: String(row.id),
        name: String(row.name),
        description: String(row.description),
        owner: row.owner === null ? null : String(row.owner),
      }),
      beforeRemoval: assertNoFlags,
    }),
    contextFields: new RegisterStore<ContextField>(database, {
      table: 'context_fields',
      kind: 'context-field',
      key: 'name',
      order: ['sort_order', 'name'],
      keyOf: ({ name }) => name,
      toRow: field => ({
        name: field.name,
        description: field.description,
        stickiness: field.stickiness,
        sort_order: field.sortOrder,
        legal_values: JSON.stringify(field.legalValues),
      }),
      toRecord: row => ({
        name: String(row.name),
        description: String(row.description),
        stickiness: Boolean(row.stickiness),
        sortOrder: Number(row.sort_order),
        legalValues: JSON.parse(String(row.legal_values)),
      }),
      beforeRemoval: async (_trx, name) => {
        if (BUILT_IN.includes(name)) {
          throw new ConflictError(
            `Context field ${name} is built in and cannot be deleted`,
          );
        }
      },
    }),
    tagTypes: new RegisterStore<TagType>(database, {
      table: 'tag_types',
      kind: 'tag-type',
      key: 'name',
      order: ['name'],
      keyOf: ({ name }) => name,
      toRow: ({ name, description, icon, color }) => ({
        name,
        description,
        icon,
        color,
      }),
      toRecord: row => ({
        name: String(row.name),
        description: String(row.description),
        icon: String(row.icon),
        color: row.color === null ? null : String(row.color),
      }),
      beforeRemoval: assertNoTags,
    }),
  };
}

/** Checks that a project is empty. @throws ConflictError if it has flags, even archived ones. */
async function assertNoFlags(
  trx: Knex.Transaction,
  project: string,
): Promise<void> {
  const flag = await trx('flags').where({ project }).first('name');
  if (flag || project === 'default') {
    throw new ConflictError(
      flag
        ? `Project ${project} has flags, such as ${flag.name}`
        : 'The default project stays',
    );
  }
}

/** Checks that a type of tags is unused. @throws ConflictError if a flag, even an archived one, uses it. */
async function assertNoTags(
  trx: Knex.Transaction,
  type: string,
): Promise<void> {
  const flags: { name: string; tags: string }[] = await trx('flags')
    .whereNot({ tags: '[]' })
    .select('name', 'tags');
  const flag = flags.find(({ tags }) =>
    (JSON.parse(tags) as { type: string }[]).some(tag => tag.type === type),
  );
  if (flag || type === 'simple') {
    throw new ConflictError(
      flag
        ? `Flags have tags of the type ${type}, such as ${flag.name}`
        : 'The type simple stays: tags without a type get it',
    );
  }
}

/**
 * Deletes the states of flags in an environment, so that a later environment with the same name
 * starts empty.
 *
 * @throws ConflictError if a token uses it, or a change is planned in it.
 */
async function removeStates(
  trx: Knex.Transaction,
  environment: string,
  { own, configured }: { own: string; configured: readonly EnvironmentToken[] },
): Promise<void> {
  const token: EnvironmentToken | undefined =
    (await trx('api_tokens').where({ environment }).first('name')) ??
    configured.find(each => each.environment === environment);
  if (token || environment === own) {
    throw new ConflictError(
      token
        ? `Token ${token.name} belongs to the environment ${environment}`
        : `${environment} is the environment of the service itself`,
    );
  }
  const planned =
    (await trx('change_requests')
      .where({ environment })
      .whereIn('state', ['In review', 'Approved', 'Scheduled'])
      .first('flag_name')) ??
    (await trx('schedules')
      .where({ environment })
      .whereIn('state', ['active', 'paused'])
      .first('flag_name'));
  if (planned) {
    throw new ConflictError(
      `${planned.flag_name} has an open schedule or change request in ${environment}`,
    );
  }
  const revision = await raiseRevision(trx, 'flags');
  await trx('flags')
    .whereIn(
      'name',
      trx('flag_environments').where({ environment }).select('flag_name'),
    )
    .update({ revision });
  await trx('flag_environments').where({ environment }).delete();
}
