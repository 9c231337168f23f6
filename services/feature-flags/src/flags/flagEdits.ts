import { randomUUID } from 'node:crypto';
import { InvalidRequestError, NotFoundError } from '@slipway/service-kit';
import {
  type Dependency,
  type Flag,
  type FlagState,
  type Strategy,
  stateOf,
  withState,
} from '../model/Flag.ts';

/** A strategy without its id, as sent in a request. */
export type StrategyFields = Omit<Strategy, 'id'>;

/** A strategy as sent in a request; {@link giveIds} adds a missing id. */
export type SentStrategy = Omit<Strategy, 'id'> & {
  readonly id?: string;
  readonly sortOrder?: number;
};

/** A state, or a part of one, as sent in a request. */
export interface SentState extends Partial<Omit<FlagState, 'strategies'>> {
  readonly strategies?: readonly SentStrategy[];
}

/** Changes the given parts of the state of a flag. */
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

/** Adds a strategy, by default at the end. @param place - its index in the list. */
export function addStrategy(
  flag: Flag,
  environment: string,
  { strategy, place = Infinity }: { strategy: Strategy; place?: number },
): Flag {
  const { strategies } = stateOf(flag, environment);
  return withState(flag, environment, {
    strategies: strategies.toSpliced(Math.max(0, place), 0, compact(strategy)),
  });
}

/**
 * Changes a strategy with a function.
 *
 * @param options.place - its new index in the list; by default it stays where it is.
 * @throws NotFoundError
 */
export function editStrategy(
  flag: Flag,
  environment: string,
  options: {
    id: string;
    place?: number;
    edit: (strategy: Strategy) => Strategy;
  },
): Flag {
  const { strategies } = stateOf(flag, environment);
  const index = indexOf(strategies, options.id);
  const { place = index, edit } = options;
  const others = strategies.toSpliced(index, 1);
  return withState(flag, environment, {
    strategies: others.toSpliced(
      Math.max(0, place),
      0,
      compact(edit(strategies[index])),
    ),
  });
}

/** Removes fields with default values, so that equal strategies are stored identically. */
function compact(strategy: Strategy): Strategy {
  const { title, disabled, constraints, segments, variants, ...rest } =
    strategy;
  return {
    ...rest,
    ...(title && { title }),
    ...(disabled && { disabled }),
    ...(constraints?.length && { constraints }),
    ...(segments?.length && { segments }),
    ...(variants?.length && { variants }),
  };
}

/**
 * Removes a strategy. Removing the last one turns the flag off, because a flag without
 * strategies is on for everyone.
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

/** Reorders strategies; those not listed come last. */
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

/** Adds a dependency, or replaces the one on the same parent. */
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

/** Removes the matching items from a list. @throws NotFoundError if none match. */
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

/**
 * Adds missing ids to strategies: the id of the previous strategy at the same index if that has the
 * same name and is not sent elsewhere, otherwise a new one.
 *
 * @throws InvalidRequestError if a sort order contradicts the order of the list.
 */
export function giveIds(
  sent: readonly SentStrategy[],
  before: readonly Strategy[],
): Strategy[] {
  assertSorted(sent);
  const taken = new Set<string>();
  const named = new Set(sent.map(({ id }) => id));
  return sent.map(({ id, sortOrder: _place, ...strategy }, index) => {
    const former = before[index];
    const candidate =
      id ??
      (former?.name === strategy.name && !named.has(former.id)
        ? former.id
        : randomUUID());
    const own = taken.has(candidate) ? randomUUID() : candidate;
    taken.add(own);
    return compact({ id: own, ...strategy });
  });
}

function assertSorted(sent: readonly SentStrategy[]): void {
  let latest = -Infinity;
  sent.forEach(({ sortOrder = latest }, index) => {
    if (sortOrder < latest) {
      const field = `strategies.${index}.sortOrder`;
      throw new InvalidRequestError(
        `${field} must follow the order of the list`,
        { field, constraint: 'minimum' },
      );
    }
    latest = sortOrder;
  });
}

function withoutUndefined<T extends object>(value: T): Partial<T> {
  return Object.fromEntries(
    Object.entries(value).filter(([, member]) => member !== undefined),
  ) as Partial<T>;
}
