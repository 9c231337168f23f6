import type { PersonChange } from './PersonChange.ts';

/** Properties of a person or group, with the time when each was set or removed. */
export interface Profile {
  readonly properties: Readonly<Record<string, unknown>>;
  /** Milliseconds since the Unix epoch, including properties that were removed. */
  readonly times: Readonly<Record<string, number>>;
}

export const EMPTY_PROFILE: Profile = { properties: {}, times: {} };

/**
 * Applies an update. The later change wins, whatever the order of arrival: an event that
 * was sent late does not restore an old value.
 */
export function updated(
  profile: Profile,
  {
    setOnce,
    set,
    unset,
  }: Omit<Extract<PersonChange, { kind: 'update' }>, 'kind'>,
  at: number,
): Profile {
  const properties = new Map(Object.entries(profile.properties));
  const times = new Map(Object.entries(profile.times));
  const isNewer = (name: string) => at >= (times.get(name) ?? -Infinity);
  for (const [name, value] of Object.entries(setOnce)) {
    if (!properties.has(name) && isNewer(name)) {
      properties.set(name, value);
      times.set(name, at);
    }
  }
  for (const [name, value] of Object.entries(set)) {
    if (isNewer(name)) {
      properties.set(name, value);
      times.set(name, at);
    }
  }
  for (const name of unset) {
    if (isNewer(name)) {
      properties.delete(name);
      times.set(name, at);
    }
  }
  return toProfile(properties, times);
}

/** Merges two profiles of the same person; values of `into` win. */
export function merged(into: Profile, from: Profile): Profile {
  return toProfile(
    new Map([
      ...Object.entries(from.properties),
      ...Object.entries(into.properties),
    ]),
    new Map([...Object.entries(from.times), ...Object.entries(into.times)]),
  );
}

/** Senders choose the names: `Object.fromEntries` treats `__proto__` as a plain name. */
function toProfile(
  properties: Map<string, unknown>,
  times: Map<string, number>,
): Profile {
  return {
    properties: Object.fromEntries(properties),
    times: Object.fromEntries(times),
  };
}
