import {
  actorOf,
  disconnectSignal,
  NotFoundError,
  type ServiceApp,
} from '@slipway/service-kit';
import { Type } from 'typebox';
import type { FlagSnapshot } from '../client/FlagSnapshot.ts';
import type { Loose } from '../client/reports.ts';
import { EnvironmentPath, StateChanges } from '../flags/featureSchemas.ts';
import { changeState } from '../flags/flagEdits.ts';
import { contextOf } from '../frontend/context.ts';
import type { Environments, Projects } from '../registers/registers.ts';
import type { FlagAccess } from '../tokens/access.ts';
import type { Explanation } from './explain.ts';
import { Explainer } from './Explainer.ts';
import { neededBy } from './neededBy.ts';
import { playgroundTableRoute, RandomResult } from './tableRoute.ts';

const PlaygroundBody = Type.Object({
  context: Type.Record(Type.String(), Type.Unsafe<Loose>({}), {
    default: {},
    maxProperties: 100,
    description: 'As applications send it: userId, properties, …',
  }),
  draft: Type.Optional(
    Type.Object(StateChanges.properties, {
      additionalProperties: false,
      description: 'A state that is not saved, or parts of one.',
    }),
  ),
});

const Part = { enabled: Type.Boolean() };

const PlaygroundResponse = Type.Object({
  enabled: Type.Boolean(),
  variant: Type.Unsafe<object>({ type: 'object', additionalProperties: true }),
  reason: Type.String({
    description:
      'turned off, parent flag, no matching rule, matching rule or no rules.',
  }),
  random: RandomResult,
  strategies: Type.Array(
    Type.Object({
      id: Type.String(),
      name: Type.String(),
      title: Type.Unsafe<string | null>({ type: ['string', 'null'] }),
      disabled: Type.Boolean(),
      ...Part,
      rollout: Type.Boolean({
        description: 'Whether it matches without constraints and segments.',
      }),
      constraints: Type.Array(
        Type.Object({
          contextName: Type.String(),
          operator: Type.String(),
          values: Type.Optional(Type.Array(Type.String())),
          value: Type.Optional(Type.String()),
          inverted: Type.Optional(Type.Boolean()),
          caseInsensitive: Type.Optional(Type.Boolean()),
          ...Part,
        }),
      ),
      segments: Type.Array(
        Type.Object({
          id: Type.Integer(),
          name: Type.Unsafe<string | null>({
            type: ['string', 'null'],
            description: 'Null for a segment that is missing.',
          }),
          ...Part,
        }),
      ),
    }),
  ),
  dependencies: Type.Array(Type.Object({ feature: Type.String(), ...Part })),
  simulation: Type.Object({
    users: Type.Integer({
      description: '1,000; fewer if the rules take long to evaluate.',
    }),
    enabled: Type.Integer(),
    variants: Type.Record(Type.String(), Type.Integer()),
  }),
});

/**
 * Adds the playground, which evaluates a flag in an environment and returns the reasons, or all flags
 * in several environments and contexts.
 */
export function playgroundRoutes(
  app: ServiceApp,
  options: {
    snapshot: FlagSnapshot;
    environments: Environments;
    projects: Projects;
    access: FlagAccess;
  },
): void {
  const { snapshot, environments, access } = options;
  const explainer = new Explainer();
  app.addHook('onClose', () => explainer.close());
  playgroundTableRoute(app, { ...options, explainer });
  app.post(
    '/api/admin/projects/:projectId/features/:featureName/environments/:environment/playground',
    {
      config: { access: access.read },
      schema: {
        tags: ['playground'],
        summary:
          'Evaluate a flag for a context and up to 1,000 simulated users, with reasons',
        params: EnvironmentPath,
        body: PlaygroundBody,
        response: { 200: PlaygroundResponse },
      },
    },
    async ({ params, body, ip, caller }, reply) => {
      const signal = disconnectSignal(reply.raw);
      const { name: environment } = await environments.get(params.environment);
      const flag = snapshot.find(params.featureName);
      if (flag?.project !== params.projectId) {
        throw new NotFoundError(`Flag ${params.featureName} not found`);
      }
      const context = contextOf(body.context, {
        environment,
        appName: undefined,
        remoteAddress: ip,
      });
      const draft = changeState(flag, environment, body.draft ?? {});
      const needed = neededBy([draft], [environment], snapshot);
      return present(
        await explainer.explain(
          { ...needed, flag: draft, environment, context },
          { caller: actorOf(caller), signal },
        ),
      );
    },
  );
}

function present(explanation: Explanation) {
  const { strategies, dependencies, simulation, ...rest } = explanation;
  return {
    ...rest,
    strategies: strategies.map(({ strategy, ...verdict }) => ({
      id: strategy.id,
      name: strategy.name,
      title: strategy.title ?? null,
      disabled: strategy.disabled ?? false,
      enabled: verdict.enabled,
      rollout: verdict.rollout,
      constraints: verdict.constraints.map(({ part, enabled }) => ({
        ...part,
        enabled,
      })),
      segments: verdict.segments.map(({ part, enabled }) => ({
        id: typeof part === 'number' ? part : part.id,
        name: typeof part === 'number' ? null : part.name,
        enabled,
      })),
    })),
    dependencies: dependencies.map(({ part, enabled }) => ({
      feature: part.feature,
      enabled,
    })),
    simulation: { ...simulation, variants: { ...simulation.variants } },
  };
}
