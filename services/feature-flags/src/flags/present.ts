import {
  type Flag,
  settingsOf,
  type Strategy,
  stateOf,
  traitsOf,
} from '../model/Flag.ts';
import type { Environment } from '../model/Registers.ts';
import { flagTag } from './preconditions.ts';
import { findProblems, type KnownThings } from './checkRules.ts';

/** What every answer says of a flag, whatever the environment. */
function factsOf({ name, project, createdAt, updatedAt, archivedAt }: Flag) {
  return {
    name,
    project,
    createdAt: new Date(createdAt).toISOString(),
    updatedAt: new Date(updatedAt).toISOString(),
    archived: archivedAt !== null,
  };
}

/** Writes a flag as one environment has it: what it has none of is left out. */
export function presentFlag(
  flag: Flag,
  environment: string,
  known: KnownThings,
) {
  const settings = settingsOf(flag, environment);
  const { dependencies, tags, links, ...rest } = settings;
  const problems = findProblems(settings, known);
  return {
    ...factsOf(flag),
    ...rest,
    strategies: settings.strategies.map(withoutId),
    ...(dependencies.length > 0 && { dependencies }),
    ...(tags.length > 0 && { tags }),
    ...(links.length > 0 && { links }),
    ...(problems.length > 0 && { problems }),
  };
}

/** Writes a flag with all environments beside one another. */
export function presentFeature(
  flag: Flag,
  environments: readonly Environment[],
  known: KnownThings,
) {
  return {
    ...factsOf(flag),
    ...traitsOf(flag),
    environments: environments.map(environment =>
      presentEnvironment(flag, environment, known),
    ),
  };
}

/** Writes what a flag is in one environment. */
export function presentEnvironment(
  flag: Flag,
  { name, type, sortOrder, protected: isProtected }: Environment,
  known: KnownThings,
) {
  const { enabled, variants, strategies } = stateOf(flag, name);
  const problems = findProblems(settingsOf(flag, name), known);
  return {
    name,
    type,
    sortOrder,
    protected: isProtected,
    etag: flagTag(flag, name),
    enabled,
    variants,
    strategies: strategies.map(presentStrategy),
    ...(problems.length > 0 && { problems }),
  };
}

/** Writes a strategy with everything that it may have. */
export function presentStrategy(strategy: Strategy, sortOrder: number) {
  const { id, name, parameters } = strategy;
  const { title = null, disabled = false } = strategy;
  const { constraints = [], segments = [], variants = [] } = strategy;
  return {
    id,
    name,
    title,
    disabled,
    sortOrder,
    parameters,
    constraints,
    segments,
    variants,
  };
}

/** Strategies as the contract and webhooks have them, which know of no ids. */
function withoutId({ id: _id, ...strategy }: Strategy) {
  return strategy;
}
