import type { Loose } from '../client/reports.ts';
import type {
  ImpactBucket,
  ImpactKind,
  ImpactRecord,
} from '../model/ImpactMetric.ts';

const NAME_LENGTH = 200;
const LABELS_LENGTH = 500;
const MAX_METRICS = 200;
const MAX_SAMPLES = 200;
const MAX_BUCKETS = 50;
/** Maximum count: a larger one cannot be stored, and would fail the reports written along with it. */
const MAX_COUNT = 1e12;

const MINUTE_MS = 60_000;

/** The readable impact metrics of a report. */
export interface ReadImpact {
  readonly records: readonly ImpactRecord[];
  /** The number of invalid metrics and samples. */
  readonly unreadable: number;
}

/**
 * Reads `impactMetrics` of a report: `[{name, type, samples: [{value, labels}]}]`, or
 * samples `{count, sum, buckets}` of histograms. Names and labels are converted to those that
 * Prometheus accepts.
 */
export function readImpact(
  sent: unknown,
  { environment, now }: { environment: string; now: number },
): ReadImpact {
  const metrics = Array.isArray(sent) ? (sent as Loose[]) : [];
  const startsAt = now - (now % MINUTE_MS);
  let unreadable = Math.max(0, metrics.length - MAX_METRICS);
  const records = metrics.slice(0, MAX_METRICS).flatMap(metric => {
    const { name, type, samples } = (metric ?? {}) as Record<string, Loose>;
    if (typeof name !== 'string' || name === '' || !isKind(type)) {
      unreadable += 1;
      return [];
    }
    const all = Array.isArray(samples) ? (samples as Loose[]) : [];
    return all.slice(0, MAX_SAMPLES).flatMap(sample => {
      const read = readSample(type, sample);
      if (!read) {
        unreadable += 1;
        return [];
      }
      return [
        { name: promName(name), environment, startsAt, kind: type, ...read },
      ];
    });
  });
  return { records, unreadable };
}

function readSample(
  kind: ImpactKind,
  sample: Loose,
):
  | Pick<ImpactRecord, 'labels' | 'sum' | 'count' | 'last' | 'buckets'>
  | undefined {
  const { value, labels, ...histogram } = (sample ?? {}) as Record<
    string,
    Loose
  >;
  const text = readLabels(labels);
  if (text === undefined) {
    return undefined;
  }
  if (kind !== 'histogram') {
    return isNumber(value)
      ? { labels: text, sum: value, count: 1, last: value, buckets: [] }
      : undefined;
  }
  const { count, sum, buckets } = histogram;
  const read = readBuckets(buckets);
  return isCount(count) && isNumber(sum) && read
    ? { labels: text, sum, count: Math.round(count), last: sum, buckets: read }
    : undefined;
}

function readBuckets(buckets: Loose): ImpactBucket[] | undefined {
  if (!Array.isArray(buckets) || buckets.length > MAX_BUCKETS) {
    return undefined;
  }
  const read = (buckets as Loose[]).map(bucket => {
    const { le, count } = (bucket ?? {}) as Record<string, Loose>;
    return { le: le === '+Inf' ? null : le, count };
  });
  return read.every(
    (bucket): bucket is ImpactBucket =>
      (bucket.le === null || isNumber(bucket.le)) && isCount(bucket.count),
  )
    ? read
    : undefined;
}

/**
 * Serialises labels as JSON, sorted; returns undefined if they are too long. The `environment` that
 * SDKs send is dropped, because the environment of the token applies.
 */
function readLabels(labels: Loose): string | undefined {
  const entries = Object.entries(
    typeof labels === 'object' && labels !== null ? labels : {},
  )
    .map(([name, value]) => [promName(name), String(value)] as const)
    .filter(([name]) => name !== 'environment')
    .sort(([one], [other]) => (one < other ? -1 : 1));
  const text = JSON.stringify(Object.fromEntries(entries));
  return text.length <= LABELS_LENGTH ? text : undefined;
}

/** Converts a name to one that Prometheus accepts. */
function promName(name: string): string {
  return name
    .slice(0, NAME_LENGTH - 1)
    .replace(/[^A-Za-z0-9_]/g, '_')
    .replace(/^(?=\d)/, '_');
}

function isKind(type: Loose): type is ImpactKind {
  return type === 'counter' || type === 'gauge' || type === 'histogram';
}

function isNumber(value: Loose): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

function isCount(value: Loose): value is number {
  return isNumber(value) && value >= 0 && value <= MAX_COUNT;
}
