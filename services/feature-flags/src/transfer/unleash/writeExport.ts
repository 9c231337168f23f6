import { createHash } from 'node:crypto';
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

/**
 * Writes flags in use as servers of Unleash before version 6 export their state, with all segments, or
 * those that the flags of one project use.
 *
 * @param filter - the only project and environment to write; by default all of them.
 */
export function writeState(
  inventory: Inventory,
  filter: { project?: string; environment?: string } = {},
) {
  const isAsked = (project: string) =>
    filter.project === undefined || project === filter.project;
  const flags = inventory.flags.filter(
    ({ archivedAt, project }) => archivedAt === null && isAsked(project),
  );
  const environmentsOf = ({ states }: Flag) =>
    filter.environment === undefined
      ? Object.keys(states)
      : [filter.environment];
  const uniqueId = idsOfExport();
  const strategies = flags.flatMap(flag =>
    environmentsOf(flag).flatMap(environment =>
      stateOf(flag, environment).strategies.map((strategy, sortOrder) => ({
        featureName: flag.name,
        projectId: flag.project,
        environment,
        strategyName: strategy.name,
        ...presentStrategy(strategy),
        id: uniqueId(strategy.id, [flag.name, environment]),
        sortOrder,
        segments: strategy.segments ?? [],
      })),
    ),
  );
  const shownSegments =
    filter.project === undefined
      ? inventory.segments
      : usedSegments(strategies, inventory);
  return {
    version: 4,
    ...writeShared(flags, [...strategies, ...shownSegments], inventory),
    featureStrategies: strategies.map(
      ({ segments: _segments, name: _name, ...strategy }) => strategy,
    ),
    featureStrategySegments: strategies.flatMap(({ id, segments }) =>
      segments.map(segmentId => ({ featureStrategyId: id, segmentId })),
    ),
    featureEnvironments: flags.flatMap(flag =>
      environmentsOf(flag).map(environment => {
        const { enabled, variants } = stateOf(flag, environment);
        return { enabled, featureName: flag.name, environment, variants };
      }),
    ),
    segments: shownSegments.map(
      ({ id, name, description, project, constraints }) => ({
        id,
        name,
        description,
        project,
        constraints,
      }),
    ),
    environments: inventory.environments
      .filter(
        ({ name }) =>
          filter.environment === undefined || name === filter.environment,
      )
      .map(({ name, type, sortOrder, enabled }) => ({
        name,
        type,
        sortOrder,
        enabled,
      })),
    projects: inventory.projects
      .filter(({ id }) => isAsked(id))
      .map(({ id, name, description }) => ({ id, name, description })),
  };
}

/**
 * Returns a function that keeps the id of a strategy, unless the export already contains it: flags may
 * have strategies with the same id, and the list of segments refers to strategies by id only. The id that
 * replaces it depends on nothing but the flag, the environment and the original id.
 */
function idsOfExport(): (id: string, place: readonly string[]) => string {
  const taken = new Set<string>();
  return (id, place) => {
    const own = taken.has(id)
      ? createHash('sha256')
          .update(JSON.stringify([...place, id]))
          .digest('hex')
          .slice(0, 32)
      : id;
    taken.add(own);
    return own;
  };
}

/** Writes the parts that both formats have in common. */
function writeShared(
  flags: readonly Flag[],
  rules: readonly Pick<Strategy, 'constraints'>[],
  { contextFields }: Inventory,
) {
  const used = new Set(
    rules.flatMap(({ constraints = [] }) =>
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
