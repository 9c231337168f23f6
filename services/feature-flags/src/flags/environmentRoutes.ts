import type { ServiceApp } from '@slipway/service-kit';
import type { ChangeRequests } from '../approval/ChangeRequests.ts';
import { Requested } from '../approval/schemas.ts';
import { type Flag, stateOf, withState } from '../model/Flag.ts';
import type { Environment } from '../model/Registers.ts';
import type { FeatureRouteOptions } from './featureRoutes.ts';
import {
  EnvironmentPath,
  EnvironmentState,
  StateChanges,
  VariantList,
} from './featureSchemas.ts';
import { changeState } from './flagEdits.ts';
import { environmentFlags } from './environmentFlags.ts';
import { presentEnvironment } from './present.ts';
import { Precondition, Variants } from './schemas.ts';

/**
 * Adds `/api/admin/projects/{projectId}/features/{featureName}/environments/{environment}`:
 * the state of a flag in one environment.
 */
export function environmentRoutes(
  app: ServiceApp,
  options: FeatureRouteOptions & { requests: ChangeRequests },
): void {
  const { known } = options;
  const { path, tags, read, write, find, change } = environmentFlags(options);
  const presentState = (flag: Flag, place: Environment) =>
    presentEnvironment(flag, place, known);

  app.get(
    path,
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

  app.patch(
    path,
    {
      ...write,
      schema: {
        tags,
        summary: 'Change the given parts of the state of a flag',
        params: EnvironmentPath,
        headers: Precondition,
        body: StateChanges,
        response: { 200: EnvironmentState, 202: Requested },
      },
    },
    (request, reply) => {
      const { enabled, strategies: sent, variants } = request.body;
      return change(request, reply, {
        edit: (each, name) =>
          changeState(each, name, { enabled, strategies: sent, variants }),
        present: presentState,
      });
    },
  );

  for (const enabled of [true, false]) {
    app.post(
      `${path}/${enabled ? 'on' : 'off'}`,
      {
        ...write,
        schema: {
          tags,
          summary: `Turn a flag ${enabled ? 'on' : 'off'} in an environment`,
          params: EnvironmentPath,
          headers: Precondition,
          response: { 200: EnvironmentState, 202: Requested },
        },
      },
      (request, reply) =>
        change(request, reply, {
          edit: (each, name) => withState(each, name, { enabled }),
          present: presentState,
        }),
    );
  }

  app.get(
    `${path}/variants`,
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
    `${path}/variants`,
    {
      ...write,
      schema: {
        tags,
        summary: 'Set the variants of a flag in an environment',
        params: EnvironmentPath,
        headers: Precondition,
        body: Variants,
        response: { 200: VariantList, 202: Requested },
      },
    },
    (request, reply) =>
      change(request, reply, {
        edit: (each, name) => withState(each, name, { variants: request.body }),
        present: (flag, { name }) => ({
          version: 1,
          variants: stateOf(flag, name).variants,
        }),
      }),
  );
}
