import { isDeepStrictEqual } from 'node:util';
import { ConflictError } from '@slipway/service-kit';
import type { Strategy } from '../model/Flag.ts';

/** A subset of a flag's settings, by name. */
type Settings = Readonly<Record<string, unknown>>;

/** Settings before and after a change. */
export interface Difference<T extends object> {
  readonly from: T;
  readonly to: T;
}

/**
 * Applies a change to settings that others may have changed since: each changed field gets its
 * new value if it still has the old one. Strategies are compared one by one.
 *
 * @returns only the fields that change.
 * @throws ConflictError naming a field that others have changed.
 */
export function carryOver<T extends object>(
  { from, to }: Difference<T>,
  onto: T,
): Partial<T> {
  const [before, after, now] = [from, to, onto] as unknown as Settings[];
  return Object.fromEntries(
    Object.keys(after)
      .filter(field => !isDeepStrictEqual(before[field], after[field]))
      .map(field => {
        const value =
          field === 'strategies'
            ? carryStrategies(
                {
                  from: (before[field] ?? []) as Strategy[],
                  to: (after[field] ?? []) as Strategy[],
                },
                now[field] as Strategy[],
              )
            : carryValue(field, {
                from: before[field],
                to: after[field],
                now: now[field],
              });
        return [field, value];
      }),
  ) as Partial<T>;
}

function carryValue(
  field: string,
  { from, to, now }: { from: unknown; to: unknown; now: unknown },
): unknown {
  if (!isDeepStrictEqual(now, from) && !isDeepStrictEqual(now, to)) {
    throw new ConflictError(`${field} has changed since`, {
      field,
      constraint: 'unchanged',
    });
  }
  return to;
}

function carryStrategies(
  { from, to }: { from: readonly Strategy[]; to: readonly Strategy[] },
  now: readonly Strategy[],
): readonly Strategy[] {
  if (isDeepStrictEqual(now, from) || isDeepStrictEqual(now, to)) {
    return to;
  }
  const find = (list: readonly Strategy[], id: string) =>
    list.find(each => each.id === id);
  const changed = [...from, ...to].filter(
    ({ id }) => !isDeepStrictEqual(find(from, id), find(to, id)),
  );
  // A new order of strategies is only carried over if no one else has changed the list.
  if (changed.length === 0 || isReordered(from, to)) {
    throw new ConflictError('The strategies have changed since', {
      field: 'strategies',
      constraint: 'unchanged',
    });
  }
  const wanted = new Map(
    changed.map(({ id }) => [
      id,
      carryValue(`Strategy ${id}`, {
        from: find(from, id),
        to: find(to, id),
        now: find(now, id),
      }) as Strategy | undefined,
    ]),
  );
  const kept = now.flatMap(strategy =>
    wanted.has(strategy.id) ? (wanted.get(strategy.id) ?? []) : strategy,
  );
  const added = to.flatMap(({ id }) =>
    find(now, id) ? [] : (wanted.get(id) ?? []),
  );
  return [...kept, ...added];
}

/** Checks whether the strategies in both lists are ordered differently; the first match sets the variant. */
function isReordered(
  from: readonly Strategy[],
  to: readonly Strategy[],
): boolean {
  const idsIn = (list: readonly Strategy[], other: readonly Strategy[]) =>
    list.map(({ id }) => id).filter(id => other.some(each => each.id === id));
  return !isDeepStrictEqual(idsIn(from, to), idsIn(to, from));
}
