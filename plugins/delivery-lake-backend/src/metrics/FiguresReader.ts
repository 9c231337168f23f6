import { DURATION_KIND } from '../derivation/durationBucket';
import { ServiceIds } from '../scope/LakeService';
import { StampedCounts, sumCounts, sumStamps } from './counts';
import { inBatches } from './inBatches';
import { inRange, SplitPeriod, splitPeriod } from './localDays';
import { MedianCache } from './MedianCache';
import { Figures, Medians } from './metricValues';
import { MetricsStore } from './MetricsStore';
import { Period } from './period';

/** Periods read at a time: enough to keep a database busy, and leaves connections to others. */
const PERIODS_AT_ONCE = 2;

/** Reads what the metrics of some services are made of. */
export class FiguresReader {
  readonly #store: MetricsStore;
  readonly #timeZone: string;
  readonly #cache = new MedianCache();

  constructor(options: { store: MetricsStore; timeZone: string }) {
    this.#store = options.store;
    this.#timeZone = options.timeZone;
  }

  /** Figures of each period; the periods lie close together. */
  async read(services: ServiceIds, periods: Period[]): Promise<Figures[]> {
    const splits = periods.map(period => splitPeriod(period, this.#timeZone));
    const touched = splits.flatMap(split => split.touched ?? []);
    const daily =
      touched.length === 0
        ? new Map<number, StampedCounts>()
        : await this.#store.dailyCounts(services, {
            first: Math.min(...touched.map(days => days.first)),
            last: Math.max(...touched.map(days => days.last)),
          });
    return inBatches(splits, PERIODS_AT_ONCE, async split =>
      this.figures(services, split, await this.#count(services, split, daily)),
    );
  }

  /** Completes counts by their medians. */
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
    split: SplitPeriod,
    daily: Map<number, StampedCounts>,
  ): Promise<StampedCounts> {
    const touched = [...daily].filter(([day]) => inRange(day, split.touched));
    const edges = await Promise.all(
      split.edges.map(edge => this.#store.rawCounts(services, edge)),
    );
    return {
      counts: sumCounts([
        ...touched
          .filter(([day]) => inRange(day, split.whole))
          .map(([, { counts }]) => counts),
        ...edges.flatMap(edge => [...edge.values()]),
      ]),
      stamp: sumStamps(touched.map(([, { stamp }]) => stamp)),
    };
  }
}
