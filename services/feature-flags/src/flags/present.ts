import { isoOf } from '@slipway/entity-contract';
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

/** Returns the fields that every response about a flag has. */
function factsOf({ name, project, createdAt, updatedAt, archivedAt }: Flag) {
  return {
    name,
    project,
    createdAt: isoOf(createdAt),
    updatedAt: isoOf(updatedAt),
    archived: archivedAt !== null,
  };
}

/** Presents a flag in one environment, without empty fields. */
export function presentFlag(
  flag: Flag,
  environment: string,
  known: KnownThings,
) {
  const settings = settingsOf(flag, environment);
  const { dependencies, tags, links, ...rest } = settings;
  const problems = findProblems(flag, environment, known);
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

/** Presents a flag in all environments. */
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

/** Presents the state of a flag in one environment. */
export function presentEnvironment(
  flag: Flag,
  { name, type, sortOrder, protected: isProtected }: Environment,
  known: KnownThings,
) {
  const { enabled, variants, strategies } = stateOf(flag, name);
  const problems = findProblems(flag, name, known);
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

/** Presents a strategy with all its fields. */
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

/** Removes the id, which the contract and webhooks do not include. */
function withoutId({ id: _id, ...strategy }: Strategy) {
  return strategy;
}
