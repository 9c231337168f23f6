import type { PersonChange } from './PersonChange.ts';

/** Properties of a person or group, with the time when each was set or removed. */
export interface Profile {
  readonly properties: Readonly<Record<string, unknown>>;
  /** Milliseconds since the Unix epoch by property, including removed properties. */
  readonly times: Readonly<Record<string, number>>;
}

const EMPTY: Profile = { properties: {}, times: {} };

/**
 * Maximum number of names in a profile, including removed ones, and its maximum size as
 * JSON in bytes.
 */
const MOST_NAMES = 5_000;
const MOST_BYTES = 512 * 1024;

/**
 * A mutable profile that ignores changes beyond the limits. One draft takes all changes of
 * a batch, since copying or measuring a large profile takes milliseconds.
 */
export class ProfileDraft {
  readonly #properties: Map<string, unknown>;
  readonly #times: Map<string, number>;
  /**
   * Size as JSON; undefined until a change makes the profile larger, as most replace a
   * value of the same size.
   */
  #bytes: number | undefined;

  constructor(profile: Profile = EMPTY) {
    this.#properties = new Map(Object.entries(profile.properties));
    this.#times = new Map(Object.entries(profile.times));
  }

  /**
   * Applies an update. The later change wins, regardless of the order of arrival: a delayed
   * event does not restore an old value.
   */
  update(
    {
      setOnce,
      set,
      unset,
    }: Omit<Extract<PersonChange, { kind: 'update' }>, 'kind'>,
    at: number,
  ): void {
    for (const [name, value] of Object.entries(setOnce)) {
      if (!this.#properties.has(name) && at >= this.#timeOf(name)) {
        this.#set(name, value, at);
      }
    }
    for (const [name, value] of Object.entries(set)) {
      if (at >= this.#timeOf(name)) {
        this.#set(name, value, at);
      }
    }
    for (const name of unset) {
      if (at >= this.#timeOf(name)) {
        this.#unset(name, at);
      }
    }
  }

  /** Adds another profile of the same person; values of this one win. */
  merge(from: ProfileDraft): void {
    for (const [name, at] of from.#times) {
      const isKnown = this.#times.has(name);
      if (from.#properties.has(name) && !this.#properties.has(name)) {
        const time = isKnown ? this.#timeOf(name) : at;
        this.#set(name, from.#properties.get(name), time);
      } else if (!isKnown) {
        this.#unset(name, at);
      }
    }
  }

  /** Senders choose the names: `Object.fromEntries` treats `__proto__` as a plain name. */
  profile(): Profile {
    return {
      properties: Object.fromEntries(this.#properties),
      times: Object.fromEntries(this.#times),
    };
  }

  #timeOf(name: string): number {
    return this.#times.get(name) ?? -Infinity;
  }

  #set(name: string, value: unknown, at: number): void {
    if (this.#grow(name, value)) {
      this.#properties.set(name, value);
      this.#times.set(name, at);
    }
  }

  #unset(name: string, at: number): void {
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
    if (bytes > 0) {
      this.#bytes ??= bytesOf(this.profile());
      const isFull = isNew && this.#times.size >= MOST_NAMES;
      if (isFull || this.#bytes + bytes > MOST_BYTES) {
        return false;
      }
    }
    if (this.#bytes !== undefined) {
      this.#bytes += bytes;
    }
    return true;
  }
}

function bytesOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}
