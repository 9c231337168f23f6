import { createHash } from 'node:crypto';
import { DurationKind } from '../derivation/durationBucket';
import { ServiceIds } from '../scope/LakeService';
import { Stamp } from './counts';
import { Period } from './period';

const MAX_ENTRIES = 20_000;

interface Entry {
  stamp: string;
  median: Promise<number | null>;
}

/** What a median is of. */
export interface MedianKey {
  kind: DurationKind;
  services: ServiceIds;
  period: Period;
}

function keyOf({ kind, services, period }: MedianKey): string {
  const scope =
    services === 'all'
      ? services
      : createHash('sha256').update(services.join()).digest('base64');
  return `${kind} ${period.start} ${period.end} ${scope}`;
}

/**
 * Remembers medians, the most recently used ones. Each is good for as long as the
 * rollup rows of its services and days are as they were when it was asked for, so
 * that late data counts at once, whichever replica took it in.
 */
export class MedianCache {
  readonly #entries = new Map<string, Entry>();

  /** @param read - asked where nothing current is remembered. */
  async get(
    key: MedianKey,
    stamp: Stamp,
    read: () => Promise<number | null>,
  ): Promise<number | null> {
    const name = keyOf(key);
    const state = `${stamp.rows} ${stamp.revisions}`;
    const known = this.#entries.get(name);
    this.#entries.delete(name);
    if (known?.stamp === state) {
      this.#entries.set(name, known);
      return known.median;
    }
    const entry: Entry = { stamp: state, median: read() };
    this.#entries.set(name, entry);
    this.#trim();
    try {
      return await entry.median;
    } catch (error) {
      if (this.#entries.get(name) === entry) {
        this.#entries.delete(name);
      }
      throw error;
    }
  }

  #trim(): void {
    const [oldest] = this.#entries.keys();
    if (this.#entries.size > MAX_ENTRIES && oldest !== undefined) {
      this.#entries.delete(oldest);
    }
  }
}
