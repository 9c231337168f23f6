import {
  DORA_METRICS,
  DoraMetric,
  DoraMetricName,
  Improvement,
  ScopeComparison,
} from '@slipway/plugin-delivery-lake-common';
import { ServiceDirectory } from '../catalog/ServiceDirectory';
import { Period, previousPeriod } from '../days/period';
import { ScopeKind, ServiceIds } from '../scope/ScopeResolver';
import { DatabaseServiceStore } from '../storage/services';
import { doraMetrics, isWorsening, Levels, mapMetrics } from './doraMetric';
import { divide, Part, PartsReader } from './PartsReader';

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
  levels: Levels;
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

/** Minimum number of samples for a meaningful comparison. */
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

/**
 * Returns the metrics to improve first: those with the lowest level, then those that are getting
 * worse, then those with the most samples.
 */
export function findImprovements(
  parts: JudgedPart[],
  by: Improvement['scope']['by'],
): Improvement[] {
  return parts
    .flatMap(part => improvementsOf(part, by))
    .sort((a, b) => urgency(a) - urgency(b) || b.samples - a.samples)
    .slice(0, MAX_ITEMS);
}
