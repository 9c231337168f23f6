import { GroupWriter } from '@slipway/service-kit';
import {
  addBuckets,
  addRecords,
  type ImpactBucket,
  type ImpactKind,
  type ImpactRecord,
} from '../model/ImpactMetric.ts';
import type { Aggregation } from '../model/Schedule.ts';
import { type ImpactStore, keyOf } from '../storage/ImpactStore.ts';

const MINUTE_MS = 60_000;
/** How long minutes are kept: the longest period of a limit is a day. */
export const IMPACT_KEPT_MS = 24 * 60 * MINUTE_MS;

interface ImpactOptions {
  store: ImpactStore;
  /** Counts records that were dropped because there are too many series. */
  lose: (count: number) => void;
  now: () => number;
}

/** Stores and sums the impact metrics that applications report, by minute, for a day. */
export class ImpactMetrics {
  readonly #options: ImpactOptions;
  readonly #writer: GroupWriter<readonly ImpactRecord[], void>;

  constructor(options: ImpactOptions) {
    this.#options = options;
    this.#writer = new GroupWriter<readonly ImpactRecord[], void>({
      write: async reports => {
        options.lose(await options.store.add(merge(reports.flat())));
        return [];
      },
    });
  }

  /** Adds records to the stored ones; resolves once they are committed. */
  async add(records: readonly ImpactRecord[]): Promise<void> {
    if (records.length > 0) {
      await this.#writer.add(records);
    }
  }

  /** Lists the metrics of an environment that limits can be set on. */
  names(environment: string): Promise<{ name: string; kind: ImpactKind }[]> {
    const from = this.#options.now() - IMPACT_KEPT_MS;
    return this.#options.store.names({ environment, from });
  }

  /** Lists the total of every series since its first report, by name. */
  totals(): Promise<ImpactRecord[]> {
    return this.#options.store.totals();
  }

  /** Aggregates a metric from a time until now; returns undefined without samples. */
  async value(query: {
    metric: string;
    environment: string;
    aggregation: Aggregation;
    from: number;
  }): Promise<number | undefined> {
    const { metric: name, environment, aggregation, from } = query;
    // The first minute counts as a whole.
    const start = from - (from % MINUTE_MS);
    const records = await this.#options.store.read({
      name,
      environment,
      from: start,
    });
    const minutes = Math.max(1, (this.#options.now() - from) / MINUTE_MS);
    return records.length === 0
      ? undefined
      : aggregate(records, aggregation, minutes);
  }
}

function aggregate(
  records: readonly ImpactRecord[],
  aggregation: Aggregation,
  minutes: number,
): number | undefined {
  const observed = records.reduce((total, { count }) => total + count, 0);
  const sum = records.reduce((total, record) => total + record.sum, 0);
  // Counters are counted by value, other metrics by number of samples.
  const count = records[0].kind === 'counter' ? sum : observed;
  switch (aggregation) {
    case 'count':
      return count;
    case 'rate':
      return count / minutes;
    case 'average':
      return observed === 0 ? undefined : sum / observed;
    case 'last':
      return records.at(-1)?.last;
    default:
      return quantile(
        records.reduce<readonly ImpactBucket[]>(
          (total, { buckets }) => addBuckets(total, buckets),
          records[0].buckets.map(({ le }) => ({ le, count: 0 })),
        ),
        0.95,
      );
  }
}

/** Calculates a quantile from cumulative buckets with linear interpolation, like Prometheus. */
function quantile(
  buckets: readonly ImpactBucket[],
  share: number,
): number | undefined {
  const total = buckets.at(-1)?.count ?? 0;
  if (total === 0) {
    return undefined;
  }
  const rank = share * total;
  const index = buckets.findIndex(({ count }) => count >= rank);
  const { le, count } = buckets[index];
  const lower = index === 0 ? { le: 0, count: 0 } : buckets[index - 1];
  if (le === null) {
    return lower.le ?? undefined;
  }
  const start = lower.le ?? 0;
  const within = count - lower.count;
  return within === 0
    ? le
    : start + (le - start) * ((rank - lower.count) / within);
}

function merge(records: readonly ImpactRecord[]): ImpactRecord[] {
  const merged = new Map<string, ImpactRecord>();
  for (const record of records) {
    const key = keyOf(record);
    const before = merged.get(key);
    merged.set(
      key,
      before?.kind === record.kind ? addRecords(before, record) : record,
    );
  }
  return [...merged.values()];
}
