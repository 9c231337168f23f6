import { createHash } from 'node:crypto';
import { DayRange, Period, SplitPeriod } from '../days/period';
import { DURATION_KIND, DurationKind } from '../derivation/ServiceHistory';
import { ServiceIds } from '../scope/ScopeResolver';
import { DatabaseMetricsStore } from '../storage/DatabaseMetricsStore';
import {
  Counts,
  Stamp,
  StampedCounts,
  sumCounts,
  sumStamps,
} from '../derivation/Counts';

/** Medians in milliseconds; null without samples. */
interface Medians {
  lead: number | null;
  restore: number | null;
  recovery: number | null;
}

/** The figures from which the metrics of some services in one period are computed. */
export interface Figures {
  period: Period;
  counts: Counts;
  medians: Medians;
}

/** Maps items with limited concurrency, keeping their order. */
export async function inBatches<T, R>(
  items: readonly T[],
  size: number,
  map: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  for (let from = 0; from < items.length; from += size) {
    results.push(
      ...(await Promise.all(items.slice(from, from + size).map(map))),
    );
  }
  return results;
}

const MAX_ENTRIES = 20_000;

interface Entry {
  stamp: string;
  median: Promise<number | null>;
}

/** The key of a cached median. */
interface MedianKey {
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
 * Caches the most recently used medians. An entry is valid while the rollup rows of its services
 * and days are unchanged, so late data counts immediately, whichever replica received it.
 */
class MedianCache {
  readonly #entries = new Map<string, Entry>();

  /** @param read - called if no valid entry is cached. */
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

/** Counts by day, sorted, so that a series can look them up for each period. */
class DailyCounts {
  readonly #days: number[];
  readonly #counts: StampedCounts[];

  constructor(counts: Map<number, StampedCounts>) {
    const sorted = [...counts].sort(([a], [b]) => a - b);
    this.#days = sorted.map(([day]) => day);
    this.#counts = sorted.map(([, each]) => each);
  }

  within(range: DayRange | undefined): StampedCounts[] {
    return range === undefined
      ? []
      : this.#counts.slice(
          this.#indexOf(range.first),
          this.#indexOf(range.last + 1),
        );
  }

  /** Returns the index of a day, or of the next day that has counts. */
  #indexOf(day: number): number {
    let low = 0;
    let high = this.#days.length;
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if (this.#days[middle] < day) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}

/** Periods read concurrently: enough to keep a database busy while leaving connections for others. */
const PERIODS_AT_ONCE = 2;

/** Reads the figures from which metrics are computed. */
export class FiguresReader {
  readonly #store: DatabaseMetricsStore;
  readonly #cache = new MedianCache();

  constructor(options: { store: DatabaseMetricsStore }) {
    this.#store = options.store;
  }

  /** Returns the figures of each period; the periods should be close together. */
  async read(services: ServiceIds, periods: SplitPeriod[]): Promise<Figures[]> {
    const touched = periods.flatMap(period => period.touched ?? []);
    const daily =
      touched.length === 0
        ? new DailyCounts(new Map())
        : new DailyCounts(
            await this.#store.dailyCounts(services, {
              first: Math.min(...touched.map(days => days.first)),
              last: Math.max(...touched.map(days => days.last)),
            }),
          );
    return inBatches(periods, PERIODS_AT_ONCE, async period =>
      this.figures(
        services,
        period,
        await this.#count(services, period, daily),
      ),
    );
  }

  /** Adds the medians to counts. */
  async figures(
    services: ServiceIds,
    split: SplitPeriod,
    { counts, stamp }: StampedCounts,
  ): Promise<Figures> {
    const median = async (name: keyof Medians, samples: number) => {
      if (samples === 0) {
        return null;
      }
      const kind = DURATION_KIND[name];
      const { start, end } = split;
      return this.#cache.get(
        { kind, services, period: { start, end } },
        stamp,
        () => this.#store.median(kind, services, split),
      );
    };
    const [lead, restore, recovery] = await Promise.all([
      median('lead', counts.changes),
      median('restore', counts.restores),
      median('recovery', counts.recoveries),
    ]);
    return {
      period: { start: split.start, end: split.end },
      counts,
      medians: { lead, restore, recovery },
    };
  }

  async #count(
    services: ServiceIds,
    period: SplitPeriod,
    daily: DailyCounts,
  ): Promise<StampedCounts> {
    const edges = await Promise.all(
      period.edges.map(edge => this.#store.rawCounts(services, edge)),
    );
    return {
      counts: sumCounts([
        ...daily.within(period.whole).map(({ counts }) => counts),
        ...edges.flatMap(edge => [...edge.values()]),
      ]),
      stamp: sumStamps(daily.within(period.touched).map(({ stamp }) => stamp)),
    };
  }
}
