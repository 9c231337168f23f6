import {
  DORA_METRICS,
  DoraMetric,
  Improvement,
  ScopeComparison,
} from '@slipway/plugin-delivery-lake-common';
import { mapMetrics } from './doraMetric';
import { isWorsening } from './trend';

/** Fewer samples say nothing about a team. */
const MIN_SAMPLES = 5;
const MAX_ITEMS = 5;

const LEVEL_RANK = { low: 0, medium: 1, high: 2, elite: 3 };

/** A part with its metrics in full. */
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

/** What to look at first: the lowest level, then what gets worse, then what most of the work rests on. */
export function findImprovements(
  parts: JudgedPart[],
  by: Improvement['scope']['by'],
): Improvement[] {
  return parts
    .flatMap(part => improvementsOf(part, by))
    .sort((a, b) => urgency(a) - urgency(b) || b.samples - a.samples)
    .slice(0, MAX_ITEMS);
}
