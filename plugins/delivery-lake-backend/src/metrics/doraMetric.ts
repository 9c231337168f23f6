import { changeOf } from '@slipway/entity-contract';
import {
  DORA_METRICS,
  DoraMetric,
  DoraMetricName,
  METRIC_UNIT,
  moreIsBetter,
  Performance,
  Trend,
} from '@slipway/plugin-delivery-lake-common';
import { ServiceDirectory } from '../catalog/ServiceDirectory';
import { DoraConfig, LevelThresholds } from '../config';
import { Period } from '../days/period';
import { Deriver } from '../derivation/Deriver';
import { ScopeKind } from '../scope/ScopeResolver';
import { DatabaseServiceStore } from '../storage/services';
import { Figures } from './FiguresReader';
import { divide, PartsReader } from './PartsReader';

const HOUR = 3_600_000;
const WEEK = 7 * 24 * HOUR;

/** An unrounded metric; 0 without samples. */
interface MetricValue {
  value: number;
  samples: number;
}

/** Maps every metric to a value. */
export function mapMetrics<T>(
  make: (metric: DoraMetricName) => T,
): Record<DoraMetricName, T> {
  return Object.fromEntries(
    DORA_METRICS.map(metric => [metric, make(metric)]),
  ) as Record<DoraMetricName, T>;
}

function hours(milliseconds: number | null, samples: number): MetricValue {
  return milliseconds === null
    ? { value: 0, samples: 0 }
    : { value: milliseconds / HOUR, samples };
}

function percent(part: number, whole: number): MetricValue {
  return { value: whole === 0 ? 0 : (100 * part) / whole, samples: whole };
}

/** Computes the six metrics as defined in the plugin's README. */
export function metricValues(
  figures: Figures,
): Record<DoraMetricName, MetricValue> {
  const { counts, medians, period } = figures;
  const { deployments } = counts;
  const weeks = (period.end - period.start) / WEEK;
  return {
    deploymentFrequency: {
      value: deployments === 0 ? 0 : deployments / weeks,
      samples: deployments,
    },
    leadTimeForChanges: hours(medians.lead, counts.changes),
    changeFailureRate: percent(counts.failed, deployments),
    timeToRestoreService: hours(medians.restore, counts.restores),
    failedDeploymentRecoveryTime: hours(medians.recovery, counts.recoveries),
    deploymentReworkRate: percent(counts.rework, deployments),
  };
}

/** Rounds to the four decimals of responses. */
export function rounded(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}

const TRENDS = ['decreasing', 'stable', 'increasing'] as const;

/** Returns the direction of a value compared with the previous period. */
export function trendOf(current: MetricValue, previous: MetricValue): Trend {
  if (current.samples === 0 || previous.samples === 0) {
    return 'stable';
  }
  const change = changeOf({ value: current.value, previous: previous.value });
  return TRENDS[change + 1];
}

/** Returns whether a metric is getting worse. */
export function isWorsening(metric: DoraMetricName, trend: Trend): boolean {
  return trend === (moreIsBetter(metric) ? 'decreasing' : 'increasing');
}

/** Assigns a level to a metric. */
type LevelOf = (metric: DoraMetricName, value: MetricValue) => Performance;

const LEVELS = ['elite', 'high', 'medium'] as const;

/**
 * Returns whether a value reaches a level: it is at least (deployment frequency), at most (percent)
 * or less than (hours) the threshold.
 */
function reaches(
  metric: DoraMetricName,
  value: number,
  threshold: number,
): boolean {
  switch (METRIC_UNIT[metric]) {
    case 'deploys/week':
      return value >= threshold;
    case 'percent':
      return value <= threshold;
    default:
      return value < threshold;
  }
}

/** Returns levels by a table of thresholds; `low` without samples. */
export function tableLevels(
  thresholds: Record<DoraMetricName, LevelThresholds>,
): LevelOf {
  return (metric, { value, samples }) => {
    if (samples === 0) {
      return 'low';
    }
    const level = LEVELS.find(name =>
      reaches(metric, value, thresholds[metric][name]),
    );
    return level ?? 'low';
  };
}

/** The minimum share of peers that a value beats, for each level, as the contract defines it. */
const BANDS: readonly [number, Performance][] = [
  [0.9, 'elite'],
  [0.6, 'high'],
  [0.3, 'medium'],
];

/** Values of all peers with samples, by metric. */
type PeerValues = Record<DoraMetricName, number[]>;

/** Returns the share of others that a value beats; ties count half. */
function shareBeaten(
  value: number,
  others: number[],
  higherIsBetter: boolean,
): number {
  let beaten = 0;
  for (const other of others) {
    if (other === value) {
      beaten += 0.5;
    } else if (higherIsBetter ? value > other : value < other) {
      beaten += 1;
    }
  }
  return beaten / others.length;
}

/**
 * Returns levels by rank among peers.
 *
 * @param options.included - whether the judged value is among the peers' values.
 * @param options.fallback - used if there are no peers.
 */
export function percentileLevels(options: {
  peers: PeerValues;
  included: boolean;
  fallback: LevelOf;
}): LevelOf {
  const { peers, included, fallback } = options;
  return (metric, current) => {
    if (current.samples === 0) {
      return 'low';
    }
    const others = [...peers[metric]];
    const own = included ? others.indexOf(current.value) : -1;
    if (own >= 0) {
      others.splice(own, 1);
    }
    if (others.length === 0) {
      return fallback(metric, current);
    }
    const share = shareBeaten(current.value, others, moreIsBetter(metric));
    return BANDS.find(([least]) => share >= least)?.[1] ?? 'low';
  };
}

/** How long a ranking is cached: it is expensive to compute, and changes slowly. */
const LIFETIME_MS = 10 * 60_000;
const MAX_RANKINGS = 100;

interface LevelsOptions {
  dora: DoraConfig;
  parts: PartsReader;
  services: DatabaseServiceStore;
  directory: ServiceDirectory;
  deriver: Deriver;
  now: () => number;
}

/** Assigns levels to metrics by the configured method. */
export class Levels {
  readonly #rankings = new Map<
    string,
    { peers: Promise<PeerValues>; expires: number }
  >();
  readonly #options: LevelsOptions;
  readonly #table: LevelOf;

  constructor(options: LevelsOptions) {
    this.#options = options;
    this.#table = tableLevels(options.dora.thresholds);
  }

  /**
   * Returns the levels for a kind of scope in a period.
   *
   * @param kind - undefined for the whole lake, which has no peers.
   * @param isPeer - whether the scope is one of the peers, not a part of one.
   */
  async of(
    kind: ScopeKind | undefined,
    period: Period,
    isPeer: boolean,
  ): Promise<LevelOf> {
    if (this.#options.dora.levels === 'table' || kind === undefined) {
      return this.#table;
    }
    return percentileLevels({
      peers: await this.#peers(kind, period),
      included: isPeer,
      fallback: this.#table,
    });
  }

  #peers(kind: ScopeKind, period: Period): Promise<PeerValues> {
    const now = this.#options.now();
    const key = `${kind} ${period.start} ${period.end}`;
    const known = this.#rankings.get(key);
    if (known && known.expires > now) {
      return known.peers;
    }
    const peers = this.#rank(kind, period);
    peers.catch(() => this.#rankings.delete(key));
    this.#rankings.delete(key);
    this.#rankings.set(key, { peers, expires: now + LIFETIME_MS });
    const [oldest] = this.#rankings.keys();
    if (this.#rankings.size > MAX_RANKINGS) {
      this.#rankings.delete(oldest);
    }
    return peers;
  }

  async #rank(kind: ScopeKind, period: Period): Promise<PeerValues> {
    const { deriver, directory, parts, services } = this.#options;
    await deriver.drain();
    const all = divide(await services.list(), kind, directory);
    const read = await parts.read({
      parts: all,
      periods: [period],
      limit: all.length,
    });
    const values = read.map(({ figures }) => metricValues(figures[0]));
    return mapMetrics(metric =>
      values
        .filter(value => value[metric].samples > 0)
        .map(value => value[metric].value),
    );
  }
}

function present(value: MetricValue): MetricValue {
  return { value: rounded(value.value), samples: value.samples };
}

/** Presents the six metrics of a period with their levels and trends. */
export function doraMetrics(
  figures: { current: Figures; previous: Figures },
  levelOf: LevelOf,
): Record<DoraMetricName, DoraMetric> {
  const current = metricValues(figures.current);
  const previous = metricValues(figures.previous);
  return mapMetrics(metric => ({
    ...present(current[metric]),
    unit: METRIC_UNIT[metric],
    trend: trendOf(current[metric], previous[metric]),
    performance: levelOf(metric, current[metric]),
    previous: present(previous[metric]),
  }));
}
