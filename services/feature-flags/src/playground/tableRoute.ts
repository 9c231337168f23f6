import {
  actorOf,
  disconnectSignal,
  InvalidRequestError,
  type ServiceApp,
} from '@slipway/service-kit';
import { Type } from 'typebox';
import type { Context } from 'unleash-client';
import type { FlagSnapshot } from '../client/FlagSnapshot.ts';
import type { Loose } from '../client/reports.ts';
import { contextOf } from '../frontend/context.ts';
import type { Environments, Projects } from '../registers/registers.ts';
import type { FlagAccess } from '../tokens/access.ts';
import { contextsOf, type Members } from './contextValues.ts';
import type { Explainer } from './Explainer.ts';
import { partsOf } from './tableParts.ts';

/** Maximum number of results of a table, as in Unleash. */
const MAX_RESULTS = 30_000;
/** Maximum number of columns, each with its own context. */
const MAX_COLUMNS = 200;
const Names = { minItems: 1, uniqueItems: true } as const;

const TableBody = Type.Object(
  {
    environments: Type.Array(Type.String({ maxLength: 100 }), {
      ...Names,
      maxItems: 20,
    }),
    projects: Type.Array(Type.String({ maxLength: 100 }), {
      ...Names,
      maxItems: 100,
      default: ['*'],
      description: 'The projects of the flags; `*` for all.',
    }),
    context: Type.Record(Type.String(), Type.Unsafe<Loose>({}), {
      default: {},
      maxProperties: 100,
      description:
        'As applications send it. Each combination of values separated by commas is a context.',
    }),
  },
  { additionalProperties: false },
);

/** Schema of the field that marks random results. */
export const RandomResult = Type.Boolean({
  description:
    'Whether applications get a random result, because a rule says so, or the context has no value that a percentage could depend on. The playground always returns the same one.',
});

const TableResponse = Type.Object({
  columns: Type.Array(
    Type.Object({
      environment: Type.String(),
      context: Type.Unsafe<object>({
        type: 'object',
        additionalProperties: true,
        description: 'One combination of the values.',
      }),
    }),
  ),
  features: Type.Array(
    Type.Object({
      name: Type.String(),
      project: Type.String(),
      results: Type.Array(
        Type.Object({
          enabled: Type.Boolean(),
          variant: Type.Unsafe<string | null>({ type: ['string', 'null'] }),
          reason: Type.String({
            description:
              'turned off, parent flag, no matching rule, matching rule or no rules.',
          }),
          random: RandomResult,
        }),
        { description: 'In the order of the columns.' },
      ),
    }),
  ),
});

/** Adds the playground of all flags, which evaluates them in several environments and contexts. */
export function playgroundTableRoute(
  app: ServiceApp,
  options: {
    explainer: Explainer;
    snapshot: FlagSnapshot;
    environments: Environments;
    projects: Projects;
    access: FlagAccess;
  },
): void {
  const { explainer, snapshot, access } = options;
  app.post(
    '/api/admin/playground/features',
    {
      config: { access: access.read },
      schema: {
        tags: ['playground'],
        summary:
          'Evaluate the flags of projects in several environments and contexts',
        body: TableBody,
        response: { 200: TableResponse },
      },
    },
    async ({ body, ip, caller }, reply) => {
      const signal = disconnectSignal(reply.raw);
      const { environments, projects } = body;
      const [places, groups] = await Promise.all([
        options.environments.list(),
        options.projects.list(),
      ]);
      assertKnown('environment', {
        names: environments,
        known: places.map(({ name }) => name),
      });
      assertKnown('project', {
        names: projects,
        known: ['*', ...groups.map(({ id }) => id)],
      });
      const contexts = contextsOf(
        body.context,
        Math.floor(MAX_COLUMNS / environments.length),
      );
      const columns = environments.flatMap(environment =>
        contexts.map(members => ({
          environment,
          context: contextOf(members, {
            environment,
            appName: undefined,
            remoteAddress: ip,
          }),
          members,
        })),
      );
      const flags = snapshot.inProjects(projects);
      assertFew(flags.length, columns.length);
      const rows = await explainer.tabulate(
        partsOf(flags, {
          columns: columns.map(({ environment, context }) => ({
            environment,
            context,
          })),
          environments,
          snapshot,
        }),
        { caller: actorOf(caller), signal },
      );
      return {
        columns: columns.map(({ environment, context, members }) => ({
          environment,
          context: presentContext(context, members),
        })),
        features: flags.map(({ name, project }, index) => ({
          name,
          project,
          results: rows[index],
        })),
      };
    },
  );
}

/** Checks that all names exist. @throws InvalidRequestError naming the first that does not. */
function assertKnown(
  kind: 'environment' | 'project',
  { names, known }: { names: readonly string[]; known: readonly string[] },
): void {
  const index = names.findIndex(name => !known.includes(name));
  if (index !== -1) {
    const field = `${kind}s.${index}`;
    throw new InvalidRequestError(
      `${field} must be an existing ${kind}: ${names[index]} does not exist`,
      { field, constraint: 'enum' },
    );
  }
}

/** Checks the number of results of a table. @throws InvalidRequestError if there are too many. */
function assertFew(flags: number, columns: number): void {
  const results = flags * columns;
  if (results > MAX_RESULTS) {
    const field = columns > 1 ? 'context' : 'projects';
    throw new InvalidRequestError(
      `${field} must not make more than ${MAX_RESULTS} results; ${flags} flags × ${columns} combinations of environments and values make ${results}`,
      { field, constraint: 'maxItems' },
    );
  }
}

/** The members of a context that a caller may set. */
const FIELDS = [
  'userId',
  'sessionId',
  'appName',
  'remoteAddress',
  'environment',
  'currentTime',
] as const;

/** Presents a context as it was understood, without what the caller did not set. */
function presentContext(context: Context, members: Members): object {
  const fields = FIELDS.filter(name => members[name] !== undefined);
  return {
    ...Object.fromEntries(fields.map(name => [name, context[name]])),
    properties: context.properties,
  };
}
