import {
  DORA_METRICS,
  DoraMetric,
  DoraMetricName,
  Improvement,
  Performance,
  ScopeComparison,
} from '@slipway/plugin-delivery-lake-common';
import { ServiceDirectory } from '../catalog/ServiceDirectory';
import { DoraConfig } from '../config';
import { Period, previousPeriod } from '../days/period';
import { Deriver } from '../derivation/Deriver';
import { ScopeKind, ServiceIds } from '../scope/ScopeResolver';
import { DatabaseServiceStore } from '../storage/services';
import {
  doraMetrics,
  isWorsening,
  LevelOf,
  mapMetrics,
  metricValues,
  moreIsBetter,
  tableLevels,
} from './doraMetric';
import { divide, Part, PartsReader } from './PartsReader';

/** The contract's bands, by the share of peers that a value beats. */
const BANDS: readonly [number, Performance][] = [
  [0.9, 'elite'],
  [0.6, 'high'],
  [0.3, 'medium'],
];

/** Values of all peers with samples, by metric. */
type PeerValues = Record<DoraMetricName, number[]>;

/** Returns the share of others that a value beats; ties count half. */
function shareBeaten(value: number, others: number[], more: boolean): number {
  let beaten = 0;
  for (const other of others) {
    if (other === value) {
      beaten += 0.5;
    } else if (more ? value > other : value < other) {
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

/**
 * Time for which a ranking is cached: computing it is expensive, and it changes slowly.
 */
const LIFETIME = 10 * 60_000;
const MAX_RANKINGS = 100;

interface PeerLevelsOptions {
  dora: DoraConfig;
  parts: PartsReader;
  services: DatabaseServiceStore;
  directory: ServiceDirectory;
  deriver: Deriver;
  now: () => number;
}

/** Assigns levels to metrics in the configured way. */
export class PeerLevels {
  readonly #rankings = new Map<
    string,
    { peers: Promise<PeerValues>; expires: number }
  >();
  readonly #options: PeerLevelsOptions;
  readonly #table: LevelOf;

  constructor(options: PeerLevelsOptions) {
    this.#options = options;
    this.#table = tableLevels(options.dora.thresholds);
  }

  /**
   * Returns the levels for a kind of scope in a period.
   *
   * @param kind - undefined for the whole lake, which has no peers.
   * @param whole - whether the scope is one of the peers, not a part of one.
   */
  async of(
    kind: ScopeKind | undefined,
    period: Period,
    whole: boolean,
  ): Promise<LevelOf> {
    if (this.#options.dora.levels === 'table' || kind === undefined) {
      return this.#table;
    }
    return percentileLevels({
      peers: await this.#peers(kind, period),
      included: whole,
      fallback: this.#table,
    });
  }

  async #peers(kind: ScopeKind, period: Period): Promise<PeerValues> {
    const key = `${kind} ${period.start} ${period.end}`;
    const known = this.#rankings.get(key);
    if (known && known.expires > this.#options.now()) {
      return known.peers;
    }
    const peers = this.#rank(kind, period);
    this.#rankings.delete(key);
    this.#rankings.set(key, { peers, expires: this.#options.now() + LIFETIME });
    const [oldest] = this.#rankings.keys();
    if (this.#rankings.size > MAX_RANKINGS) {
      this.#rankings.delete(oldest);
    }
    peers.catch(() => this.#rankings.delete(key));
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

/** Parts of a scope with their metrics, most deployments first. */
interface Comparison {
  parts: (Part & { metrics: Record<DoraMetricName, DoraMetric> })[];
  /** True if there are more parts. */
  truncated: boolean;
}

interface ComparisonReaderOptions {
  services: DatabaseServiceStore;
  directory: ServiceDirectory;
  parts: PartsReader;
  levels: PeerLevels;
}

/** Compares the parts of a scope. */
export class ComparisonReader {
  readonly #options: ComparisonReaderOptions;

  constructor(options: ComparisonReaderOptions) {
    this.#options = options;
  }

  async read(request: {
    services: ServiceIds;
    by: ScopeKind;
    period: Period;
    limit: number;
  }): Promise<Comparison> {
    const { services, by, period, limit } = request;
    const parts = divide(
      await this.#list(services),
      by,
      this.#options.directory,
    );
    const [compared, levelOf] = await Promise.all([
      this.#options.parts.read({
        parts,
        periods: [period, previousPeriod(period)],
        limit,
      }),
      this.#options.levels.of(by, period, true),
    ]);
    return {
      parts: compared.map(({ part, figures: [current, previous] }) => ({
        ...part,
        metrics: doraMetrics({ current, previous }, levelOf),
      })),
      truncated: parts.length > limit,
    };
  }

  async #list(services: ServiceIds) {
    const all = await this.#options.services.list();
    if (services === 'all') {
      return all;
    }
    const wanted = new Set(services);
    return all.filter(service => wanted.has(service.id));
  }
}

/** Fewer samples are not meaningful. */
const MIN_SAMPLES = 5;
const MAX_ITEMS = 5;

const LEVEL_RANK = { low: 0, medium: 1, high: 2, elite: 3 };

/** A part with all its metrics. */
export interface JudgedPart extends Pick<ScopeComparison, 'name' | 'title'> {
  metrics: Record<(typeof DORA_METRICS)[number], DoraMetric>;
}

function improvementsOf(
  part: JudgedPart,
  by: Improvement['scope']['by'],
): Improvement[] {
  const worsening = mapMetrics(metric => {
    const { trend, previous } = part.metrics[metric];
    return isWorsening(metric, trend) && previous.samples >= MIN_SAMPLES;
  });
  return DORA_METRICS.flatMap(metric => {
    const { value, unit, performance, trend, samples } = part.metrics[metric];
    const low = performance === 'low';
    const worse = worsening[metric] && performance !== 'elite';
    if (samples < MIN_SAMPLES || !(low || worse)) {
      return [];
    }
    const { name, title } = part;
    return [
      {
        metric,
        scope: { by, name, title },
        ...{ value, unit, performance, trend, samples },
        reason: low ? 'low-level' : 'got-worse',
      } as const,
    ];
  });
}

function urgency(item: Improvement): number {
  const worse = isWorsening(item.metric, item.trend);
  return 2 * LEVEL_RANK[item.performance] + (worse ? 0 : 1);
}

/** Returns what to improve first: the lowest levels, then what is getting worse, then what most of the work depends on. */
export function findImprovements(
  parts: JudgedPart[],
  by: Improvement['scope']['by'],
): Improvement[] {
  return parts
    .flatMap(part => improvementsOf(part, by))
    .sort((a, b) => urgency(a) - urgency(b) || b.samples - a.samples)
    .slice(0, MAX_ITEMS);
}
