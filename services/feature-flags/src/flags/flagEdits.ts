import { randomUUID } from 'node:crypto';
import { NotFoundError } from '@slipway/service-kit';
import {
  type Dependency,
  type Flag,
  type FlagState,
  type Strategy,
  stateOf,
  withState,
} from '../model/Flag.ts';

/** What people send of a strategy; its place comes apart. */
export type StrategyFields = Omit<Strategy, 'id'>;

/** A strategy as people send it; one without an id is a new one, or that in its place. */
export type SentStrategy = Omit<Strategy, 'id'> & { readonly id?: string };

/** A state, or a part of one, as people send it. */
export interface SentState extends Partial<Omit<FlagState, 'strategies'>> {
  readonly strategies?: readonly SentStrategy[];
}

/** Changes what is given of a flag in one environment. */
export function changeState(
  flag: Flag,
  environment: string,
  { strategies, ...rest }: SentState,
): Flag {
  const before = stateOf(flag, environment);
  return withState(flag, environment, {
    ...withoutUndefined(rest),
    ...(strategies && { strategies: giveIds(strategies, before.strategies) }),
  });
}

/** Adds a strategy at the end. */
export function addStrategy(
  flag: Flag,
  environment: string,
  fields: StrategyFields,
): Flag {
  const { strategies } = stateOf(flag, environment);
  return withState(flag, environment, {
    strategies: [...strategies, { id: randomUUID(), ...fields }],
  });
}

/** Changes one strategy by a function of what it is. @throws NotFoundError */
export function editStrategy(
  flag: Flag,
  environment: string,
  options: { id: string; edit: (strategy: Strategy) => Strategy },
): Flag {
  const { strategies } = stateOf(flag, environment);
  const index = indexOf(strategies, options.id);
  return withState(flag, environment, {
    strategies: strategies.with(index, options.edit(strategies[index])),
  });
}

/**
 * Takes a strategy away. A flag without strategies is on for everybody, so that the last
 * one turns it off.
 *
 * @throws NotFoundError
 */
export function removeStrategy(
  flag: Flag,
  environment: string,
  id: string,
): Flag {
  const { strategies, enabled } = stateOf(flag, environment);
  const left = strategies.toSpliced(indexOf(strategies, id), 1);
  return withState(flag, environment, {
    strategies: left,
    enabled: enabled && left.length > 0,
  });
}

function indexOf(strategies: readonly Strategy[], wanted: string): number {
  const index = strategies.findIndex(({ id }) => id === wanted);
  if (index === -1) {
    throw new NotFoundError(`Strategy ${wanted} not found`);
  }
  return index;
}

/** Sorts strategies; those that are not named stay behind the ones that are. */
export function sortStrategies(
  flag: Flag,
  environment: string,
  order: readonly { id: string; sortOrder: number }[],
): Flag {
  const places = new Map(order.map(({ id, sortOrder }) => [id, sortOrder]));
  const { strategies } = stateOf(flag, environment);
  const placeOf = ({ id }: Strategy) => places.get(id) ?? Infinity;
  return withState(flag, environment, {
    strategies: strategies.toSorted((one, other) => {
      const [first, second] = [placeOf(one), placeOf(other)];
      return first === second ? 0 : first - second;
    }),
  });
}

/** Makes a flag depend on a parent, in place of what it needed of that before. */
export function addDependency(flag: Flag, dependency: Dependency): Flag {
  const { dependencies } = flag;
  const index = dependencies.findIndex(
    ({ feature }) => feature === dependency.feature,
  );
  return {
    ...flag,
    dependencies:
      index === -1
        ? [...dependencies, dependency]
        : dependencies.with(index, dependency),
  };
}

/** Leaves items out of a list. @throws NotFoundError where there is none of them. */
export function without<T>(
  list: readonly T[],
  isOne: (item: T) => boolean,
  missing: string,
): T[] {
  const rest = list.filter(item => !isOne(item));
  if (rest.length === list.length) {
    throw new NotFoundError(missing);
  }
  return rest;
}

/** Strategies keep their ids; one that is sent without takes that of its place and kind. */
export function giveIds(
  sent: readonly SentStrategy[],
  before: readonly Strategy[],
): Strategy[] {
  const taken = new Set<string>();
  const named = new Set(sent.map(({ id }) => id));
  return sent.map(({ id, ...strategy }, index) => {
    const former = before[index];
    const candidate =
      id ??
      (former?.name === strategy.name && !named.has(former.id)
        ? former.id
        : randomUUID());
    const own = taken.has(candidate) ? randomUUID() : candidate;
    taken.add(own);
    return { id: own, ...strategy };
  });
}

function withoutUndefined<T extends object>(value: T): Partial<T> {
  return Object.fromEntries(
    Object.entries(value).filter(([, member]) => member !== undefined),
  ) as Partial<T>;
}
