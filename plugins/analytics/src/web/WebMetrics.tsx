import { useTranslationRef } from '@backstage/frontend-plugin-api';
import {
  formatDuration,
  formatPercent,
  Skeletons,
  Tile,
  type TileChange,
} from '@slipway/design-system';
import type { WebMetric } from '../api/InsightQuery';
import { formatCount } from '../insights/valueNames';
import { analyticsTranslationRef } from '../translation';
import styles from '../analytics.module.css';

/** Labels by PostHog's names of metrics. */
const METRICS = new Map([
  ['visitors', 'web.metrics.visitors'],
  ['views', 'web.metrics.views'],
  ['sessions', 'web.metrics.sessions'],
  ['session duration', 'web.metrics.session_duration'],
  ['bounce rate', 'web.metrics.bounce_rate'],
] as const);

/** Shows the numbers of a site beside those of the period before. */
export function WebMetrics({ metrics }: { metrics: readonly WebMetric[] }) {
  const { t } = useTranslationRef(analyticsTranslationRef);
  return (
    <div className={styles.metrics}>
      {metrics.map(metric => {
        const label = METRICS.get(metric.key as 'visitors');
        return (
          <Tile
            key={metric.key}
            label={label ? t(label) : metric.key}
            value={valueOf(metric)}
            isEmpty={metric.value === null}
            change={changeOf(metric, t('web.compared'))}
          />
        );
      })}
    </div>
  );
}

/** Placeholder for the tiles, in their layout. */
export function MetricsSkeleton() {
  const { t } = useTranslationRef(analyticsTranslationRef);
  return (
    <Skeletons label={t('web.loading')}>
      <div className={styles.metrics}>
        {[...METRICS].map(([key, label]) => (
          <Tile
            key={key}
            label={t(label)}
            value="–"
            isEmpty
            change={{ text: '–', direction: 'none', judgement: 'neutral' }}
          />
        ))}
      </div>
    </Skeletons>
  );
}

function valueOf({ value, kind }: WebMetric): string {
  if (value === null) {
    return '–';
  }
  switch (kind) {
    case 'duration_s':
      return formatDuration(value * 1_000);
    case 'percentage':
      return formatPercent(Math.round(value));
    default:
      return formatCount(value);
  }
}

function changeOf(
  { changeFromPreviousPct: change, isIncreaseBad }: WebMetric,
  compared: string,
): TileChange | undefined {
  if (change === null) {
    return undefined;
  }
  const text = `${formatPercent(Math.abs(change))} ${compared}`;
  if (change === 0) {
    return { text, direction: 'none', judgement: 'neutral' };
  }
  return {
    text,
    direction: change > 0 ? 'up' : 'down',
    judgement: change > 0 !== isIncreaseBad ? 'better' : 'worse',
  };
}
