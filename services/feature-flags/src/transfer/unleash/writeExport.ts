import {
  type Flag,
  type Segment,
  stateOf,
  type Strategy,
} from '../../model/Flag.ts';
import type { Inventory } from '../ImportPlan.ts';

/**
 * Writes flags as Unleash exports one environment, so that Unleash can import them. This format
 * lacks the constraints of segments.
 */
export function writeEnvironment(
  flags: readonly Flag[],
  environment: string,
  inventory: Inventory,
) {
  const strategies = flags.flatMap(flag =>
    stateOf(flag, environment).strategies.map(strategy => ({
      featureName: flag.name,
      ...presentStrategy(strategy),
      segments: strategy.segments ?? [],
    })),
  );
  return {
    ...writeShared(flags, strategies, inventory),
    featureStrategies: strategies,
    featureEnvironments: flags.map(flag => {
      const { enabled, variants } = stateOf(flag, environment);
      const featureName = flag.name;
      return { enabled, featureName, environment, variants, name: featureName };
    }),
    segments: usedSegments(strategies, inventory).map(({ id, name }) => ({
      id,
      name,
    })),
  };
}

/** Writes all flags in use as servers of Unleash before version 6 export their state. */
export function writeState(inventory: Inventory) {
  const flags = inventory.flags.filter(({ archivedAt }) => archivedAt === null);
  const strategies = flags.flatMap(flag =>
    Object.entries(flag.states).flatMap(([environment, state]) =>
      state.strategies.map((strategy, sortOrder) => ({
        featureName: flag.name,
        projectId: flag.project,
        environment,
        strategyName: strategy.name,
        ...presentStrategy(strategy),
        sortOrder,
        segments: strategy.segments ?? [],
      })),
    ),
  );
  return {
    version: 4,
    ...writeShared(flags, strategies, inventory),
    featureStrategies: strategies.map(
      ({ segments: _segments, name: _name, ...strategy }) => strategy,
    ),
    featureStrategySegments: strategies.flatMap(({ id, segments }) =>
      segments.map(segmentId => ({ featureStrategyId: id, segmentId })),
    ),
    featureEnvironments: flags.flatMap(({ name, states }) =>
      Object.entries(states).map(([environment, { enabled, variants }]) => ({
        enabled,
        featureName: name,
        environment,
        variants,
      })),
    ),
    segments: inventory.segments.map(
      ({ id, name, description, project, constraints }) => ({
        id,
        name,
        description,
        project,
        constraints,
      }),
    ),
    environments: inventory.environments.map(
      ({ name, type, sortOrder, enabled }) => ({
        name,
        type,
        sortOrder,
        enabled,
      }),
    ),
    projects: inventory.projects.map(({ id, name, description }) => ({
      id,
      name,
      description,
    })),
  };
}

/** Writes the parts that both formats have in common. */
function writeShared(
  flags: readonly Flag[],
  strategies: readonly Pick<Strategy, 'constraints'>[],
  { contextFields }: Inventory,
) {
  const used = new Set(
    strategies.flatMap(({ constraints = [] }) =>
      constraints.map(({ contextName }) => contextName),
    ),
  );
  return {
    features: flags.map(flag => ({
      name: flag.name,
      description: flag.description,
      type: flag.type,
      project: flag.project,
      stale: flag.stale,
      impressionData: flag.impressionData,
      archived: false,
    })),
    contextFields: contextFields.filter(({ name }) => used.has(name)),
    featureTags: flags.flatMap(({ name, tags }) =>
      tags.map(({ type, value }) => ({
        featureName: name,
        tagType: type,
        tagValue: value,
      })),
    ),
    tagTypes: [
      ...new Set(flags.flatMap(({ tags }) => tags.map(({ type }) => type))),
    ].map(name => ({ name, description: '', icon: null })),
    dependencies: flags.flatMap(({ name, dependencies }) =>
      dependencies.length > 0
        ? [
            {
              feature: name,
              dependencies: dependencies.map(
                ({ feature, enabled, variants = [] }) => ({
                  feature,
                  enabled,
                  variants,
                }),
              ),
            },
          ]
        : [],
    ),
    links: flags.flatMap(({ name, links }) =>
      links.length > 0 ? [{ feature: name, links }] : [],
    ),
  };
}

function presentStrategy(strategy: Strategy) {
  const { id, name, title = null, disabled = false, parameters } = strategy;
  const { constraints = [], variants = [] } = strategy;
  return { name, id, title, parameters, constraints, variants, disabled };
}

function usedSegments(
  strategies: readonly { readonly segments: readonly number[] }[],
  { segments }: Inventory,
): Segment[] {
  const used = new Set(strategies.flatMap(each => each.segments));
  return segments.filter(({ id }) => used.has(id));
}
