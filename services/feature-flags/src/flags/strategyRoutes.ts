import { randomUUID } from 'node:crypto';
import {
  InvalidRequestError,
  NotFoundError,
  type ServiceApp,
} from '@slipway/service-kit';
import type { Static } from 'typebox';
import type { ChangeRequests } from '../approval/ChangeRequests.ts';
import { Requested } from '../approval/schemas.ts';
import { type Flag, stateOf } from '../model/Flag.ts';
import type { FeatureRouteOptions } from './featureRoutes.ts';
import {
  EnvironmentPath,
  EnvironmentState,
  StrategyResponse,
  StrategyBody,
  StrategyChanges,
  StrategyList,
  StrategyOrder,
  StrategyPath,
} from './featureSchemas.ts';
import {
  addStrategy,
  editStrategy,
  removeStrategy,
  sortStrategies,
  type StrategyFields,
} from './flagEdits.ts';
import { environmentFlags } from './environmentFlags.ts';
import { presentEnvironment, presentStrategy } from './present.ts';
import { Precondition } from './schemas.ts';

/** Adds `…/environments/{environment}/strategies`: the individual strategies of a flag. */
export function strategyRoutes(
  app: ServiceApp,
  options: FeatureRouteOptions & { requests: ChangeRequests },
): void {
  const { known } = options;
  const { path, tags, read, write, find, change } = environmentFlags(options);
  const strategies = `${path}/strategies` as const;
  const presentOne = (flag: Flag, environment: string, id: string) => {
    const all = stateOf(flag, environment).strategies;
    const index = all.findIndex(strategy => strategy.id === id);
    return presentStrategy(all[index], index);
  };

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
        response: { 200: StrategyResponse, 202: Requested },
      },
    },
    (request, reply) => {
      const id = randomUUID();
      const { place, fields } = readBody(request.body);
      return change(request, reply, {
        edit: (each, name) =>
          addStrategy(each, name, { strategy: { id, ...fields }, place }),
        present: (flag, { name }) => presentOne(flag, name, id),
      });
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
        response: { 200: StrategyList, 202: Requested },
      },
    },
    (request, reply) =>
      change(request, reply, {
        edit: (each, name) => sortStrategies(each, name, request.body),
        present: (flag, { name }) =>
          stateOf(flag, name).strategies.map(presentStrategy),
      }),
  );

  app.get(
    `${strategies}/:strategyId`,
    {
      ...read,
      schema: {
        tags,
        summary: 'Get a strategy of a flag in an environment',
        params: StrategyPath,
        response: { 200: StrategyResponse },
      },
    },
    async (request, reply) => {
      const { strategyId } = request.params;
      const { flag, place } = await find(request, reply);
      const all = stateOf(flag, place.name).strategies;
      const index = all.findIndex(({ id }) => id === strategyId);
      if (index === -1) {
        throw new NotFoundError(`Strategy ${strategyId} not found`);
      }
      return presentStrategy(all[index], index);
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
          response: { 200: StrategyResponse, 202: Requested },
        },
      },
      (request, reply) => {
        const { strategyId: id } = request.params;
        const { id: sentId = id, place, fields } = readBody(request.body);
        if (sentId !== id) {
          throw new InvalidRequestError('id must match the path', {
            field: 'id',
            constraint: 'const',
          });
        }
        return change(request, reply, {
          edit: (each, name) =>
            editStrategy(each, name, {
              id,
              place,
              edit: before => ({
                ...(method === 'put' ? { id } : before),
                ...(fields as StrategyFields),
              }),
            }),
          present: (flag, { name }) => presentOne(flag, name, id),
        });
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
        response: { 200: EnvironmentState, 202: Requested },
      },
    },
    (request, reply) =>
      change(request, reply, {
        edit: (each, name) =>
          removeStrategy(each, name, request.params.strategyId),
        present: (flag, place) => presentEnvironment(flag, place, known),
      }),
  );
}

/** Splits a body into the fields of a strategy, its id, and its place in the list. */
function readBody<
  T extends Static<typeof StrategyBody> | Static<typeof StrategyChanges>,
>({ id, sortOrder: place, ...fields }: T) {
  return { id, place, fields };
}
