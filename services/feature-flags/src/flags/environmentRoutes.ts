import type { Caller, ServiceApp } from '@slipway/service-kit';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import { type Flag, stateOf, withState } from '../model/Flag.ts';
import {
  EnvironmentPath,
  EnvironmentState,
  StrategyAnswer,
  StrategyBody,
  StrategyChanges,
  StrategyList,
  StrategyOrder,
  StrategyPath,
  VariantList,
  Variants,
} from './featureSchemas.ts';
import type { FeatureRouteOptions } from './featureRoutes.ts';
import { flagTag } from './FlagAdmin.ts';
import { presentEnvironment, presentStrategy } from './present.ts';
import { contextOf } from './routes.ts';
import { Precondition } from './schemas.ts';
import {
  addStrategy,
  editStrategy,
  removeStrategy,
  sortStrategies,
  type StrategyFields,
} from './flagEdits.ts';

/** A request about a flag in one environment. */
interface PlacedRequest {
  params: { projectId: string; featureName: string; environment: string };
  caller: Caller;
  headers: FastifyRequest['headers'];
}

/**
 * Adds `/api/admin/projects/{projectId}/features/{featureName}/environments/{environment}`:
 * what a flag is in one environment, and its strategies one by one.
 */
export function environmentRoutes(
  app: ServiceApp,
  { flags, environments, known, access }: FeatureRouteOptions,
): void {
  const base =
    '/api/admin/projects/:projectId/features/:featureName/environments/:environment';
  const strategies = `${base}/strategies`;
  const tags = ['features'];
  const read = { config: { access: access.read } };
  const write = {
    config: { access: access.write, faults: ['preconditionFailed'] },
  } as const;

  const find = async ({ params }: PlacedRequest, reply: FastifyReply) => {
    const { projectId, featureName, environment } = params;
    const place = await environments.get(environment);
    const flag = await flags.get(featureName, projectId);
    reply.header('etag', flagTag(flag, place.name));
    return { place, flag };
  };
  const change = async (
    request: PlacedRequest,
    reply: FastifyReply,
    edit: (flag: Flag, environment: string) => Flag,
  ) => {
    const { projectId: project, featureName, environment } = request.params;
    const place = await environments.get(environment);
    const context = { ...contextOf(request, place.name), project };
    const flag = await flags.edit(featureName, context, each =>
      edit(each, place.name),
    );
    reply.header('etag', flagTag(flag, place.name));
    return { place, flag };
  };

  app.get(
    base,
    {
      ...read,
      schema: {
        tags,
        summary: 'Get the state of a flag in an environment',
        params: EnvironmentPath,
        response: { 200: EnvironmentState },
      },
    },
    async (request, reply) => {
      const { flag, place } = await find(request, reply);
      return presentEnvironment(flag, place, known);
    },
  );

  for (const enabled of [true, false]) {
    app.post(
      `${base}/${enabled ? 'on' : 'off'}`,
      {
        ...write,
        schema: {
          tags,
          summary: `Turn a flag ${enabled ? 'on' : 'off'} in an environment`,
          params: EnvironmentPath,
          headers: Precondition,
          response: { 200: EnvironmentState },
        },
      },
      async (request, reply) => {
        const { flag, place } = await change(request, reply, (each, name) =>
          withState(each, name, { enabled }),
        );
        return presentEnvironment(flag, place, known);
      },
    );
  }

  app.get(
    `${base}/variants`,
    {
      ...read,
      schema: {
        tags,
        summary: 'List the variants of a flag in an environment',
        params: EnvironmentPath,
        response: { 200: VariantList },
      },
    },
    async (request, reply) => {
      const { flag, place } = await find(request, reply);
      return { version: 1, variants: stateOf(flag, place.name).variants };
    },
  );

  app.put(
    `${base}/variants`,
    {
      ...write,
      schema: {
        tags,
        summary: 'Set the variants of a flag in an environment',
        params: EnvironmentPath,
        headers: Precondition,
        body: Variants,
        response: { 200: VariantList },
      },
    },
    async (request, reply) => {
      const { flag, place } = await change(request, reply, (each, name) =>
        withState(each, name, { variants: request.body }),
      );
      return { version: 1, variants: stateOf(flag, place.name).variants };
    },
  );

  app.get(
    strategies,
    {
      ...read,
      schema: {
        tags,
        summary: 'List the strategies of a flag in an environment',
        params: EnvironmentPath,
        response: { 200: StrategyList },
      },
    },
    async (request, reply) => {
      const { flag, place } = await find(request, reply);
      return stateOf(flag, place.name).strategies.map(presentStrategy);
    },
  );

  app.post(
    strategies,
    {
      ...write,
      schema: {
        tags,
        summary: 'Add a strategy',
        params: EnvironmentPath,
        headers: Precondition,
        body: StrategyBody,
        response: { 200: StrategyAnswer },
      },
    },
    async (request, reply) => {
      const { flag, place } = await change(request, reply, (each, name) =>
        addStrategy(each, name, fieldsOf(request.body)),
      );
      const all = stateOf(flag, place.name).strategies;
      return presentStrategy(all[all.length - 1], all.length - 1);
    },
  );

  app.post(
    `${strategies}/set-sort-order`,
    {
      ...write,
      schema: {
        tags,
        summary: 'Set the order of the strategies',
        params: EnvironmentPath,
        headers: Precondition,
        body: StrategyOrder,
        response: { 200: StrategyList },
      },
    },
    async (request, reply) => {
      const { flag, place } = await change(request, reply, (each, name) =>
        sortStrategies(each, name, request.body),
      );
      return stateOf(flag, place.name).strategies.map(presentStrategy);
    },
  );

  for (const method of ['put', 'patch'] as const) {
    app[method](
      `${strategies}/:strategyId`,
      {
        ...write,
        schema: {
          tags,
          summary:
            method === 'put'
              ? 'Replace a strategy'
              : 'Change the given fields of a strategy',
          params: StrategyPath,
          headers: Precondition,
          body: method === 'put' ? StrategyBody : StrategyChanges,
          response: { 200: StrategyAnswer },
        },
      },
      async (request, reply) => {
        const { strategyId: id } = request.params;
        const { flag, place } = await change(request, reply, (each, name) =>
          editStrategy(each, name, {
            id,
            edit: before => ({
              ...(method === 'put' ? { id } : before),
              ...(fieldsOf(request.body) as StrategyFields),
            }),
          }),
        );
        const all = stateOf(flag, place.name).strategies;
        const index = all.findIndex(strategy => strategy.id === id);
        return presentStrategy(all[index], index);
      },
    );
  }

  app.delete(
    `${strategies}/:strategyId`,
    {
      ...write,
      schema: {
        tags,
        summary: 'Remove a strategy; removing the last one turns the flag off',
        params: StrategyPath,
        headers: Precondition,
        response: { 200: EnvironmentState },
      },
    },
    async (request, reply) => {
      const { strategyId: id } = request.params;
      const { flag, place } = await change(request, reply, (each, name) =>
        removeStrategy(each, name, id),
      );
      return presentEnvironment(flag, place, known);
    },
  );
}

/** What is stored of a strategy as sent: its place is where it stands. */
function fieldsOf<
  T extends Static<typeof StrategyBody> | Static<typeof StrategyChanges>,
>({ sortOrder: _place, ...fields }: T): Omit<T, 'sortOrder'> {
  return fields;
}
