import type { PersonChange } from './PersonChange.ts';

/** Properties of a person or group, with the time when each was set or removed. */
export interface Profile {
  readonly properties: Readonly<Record<string, unknown>>;
  /** Milliseconds since the Unix epoch, including properties that were removed. */
  readonly times: Readonly<Record<string, number>>;
}

export const EMPTY_PROFILE: Profile = { properties: {}, times: {} };

/** Maximum names of a profile, including removed ones, and its maximum size as JSON in bytes. */
const MOST_NAMES = 5_000;
const MOST_BYTES = 512 * 1024;

/** A profile that changes within the limits; changes that would exceed them are ignored. */
class Draft {
  readonly #properties: Map<string, unknown>;
  readonly #times: Map<string, number>;
  /** Undefined until it matters, as most updates change nothing. */
  #bytes: number | undefined;

  constructor(profile: Profile) {
    this.#properties = new Map(Object.entries(profile.properties));
    this.#times = new Map(Object.entries(profile.times));
  }

  has(name: string): boolean {
    return this.#properties.has(name);
  }

  timeOf(name: string): number {
    return this.#times.get(name) ?? -Infinity;
  }

  set(name: string, value: unknown, at: number): void {
    if (this.#grow(name, value)) {
      this.#properties.set(name, value);
      this.#times.set(name, at);
    }
  }

  unset(name: string, at: number): void {
    if (this.#grow(name, undefined)) {
      this.#properties.delete(name);
      this.#times.set(name, at);
    }
  }

  /** Counts a value that replaces the current one; returns false if there is no room for it. */
  #grow(name: string, value: unknown): boolean {
    const isNew = !this.#times.has(name);
    const bytes =
      bytesOf([name, value]) -
      (isNew ? 0 : bytesOf([name, this.#properties.get(name)]));
    const before = (this.#bytes ??= bytesOf(this.profile()));
    const fits =
      (!isNew || this.#times.size < MOST_NAMES) &&
      (bytes <= 0 || before + bytes <= MOST_BYTES);
    this.#bytes = fits ? before + bytes : before;
    return fits;
  }

  /** Senders choose the names: `Object.fromEntries` treats `__proto__` as a plain name. */
  profile(): Profile {
    return {
      properties: Object.fromEntries(this.#properties),
      times: Object.fromEntries(this.#times),
    };
  }
}

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
  const draft = new Draft(profile);
  for (const [name, value] of Object.entries(setOnce)) {
    if (!draft.has(name) && at >= draft.timeOf(name)) {
      draft.set(name, value, at);
    }
  }
  for (const [name, value] of Object.entries(set)) {
    if (at >= draft.timeOf(name)) {
      draft.set(name, value, at);
    }
  }
  for (const name of unset) {
    if (at >= draft.timeOf(name)) {
      draft.unset(name, at);
    }
  }
  return draft.profile();
}

/** Merges two profiles of the same person; values of `into` win. */
export function merged(into: Profile, from: Profile): Profile {
  const draft = new Draft(into);
  for (const [name, at] of Object.entries(from.times)) {
    const isKnown = Number.isFinite(draft.timeOf(name));
    if (Object.hasOwn(from.properties, name) && !draft.has(name)) {
      const time = isKnown ? draft.timeOf(name) : at;
      draft.set(name, from.properties[name], time);
    } else if (!isKnown) {
      draft.unset(name, at);
    }
  }
  return draft.profile();
}

function bytesOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}
