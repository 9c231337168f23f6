import { useTranslationRef } from '@backstage/frontend-plugin-api';
import {
  formatDuration,
  formatPercent,
  Skeletons,
  Tile,
  type TileChange,
} from '@slipway/design-system';
import { changeOf } from '@slipway/entity-contract';
import type { WebMetric } from '../api/InsightQuery';
import { formatCount } from '../insights/valueNames';
import { analyticsTranslationRef, type Translate } from '../translation';
import styles from '../analytics.module.css';

/** Labels by PostHog's names of metrics. */
const METRICS = new Map([
  ['visitors', 'web.metrics.visitors'],
  ['views', 'web.metrics.views'],
  ['sessions', 'web.metrics.sessions'],
  ['session duration', 'web.metrics.session_duration'],
  ['bounce rate', 'web.metrics.bounce_rate'],
] as const);

/** Shows the numbers of a site, compared with the previous period. */
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
            change={describeChange(t, metric)}
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

/**
 * Describes the change of a number since the previous period, by the portal's common rules
 * for changes.
 */
function describeChange(
  t: Translate,
  { changeFromPreviousPct: percent, isIncreaseBad }: WebMetric,
): TileChange | undefined {
  if (percent === null) {
    return undefined;
  }
  const step = changeOf({ value: 100 + percent, previous: 100 });
  if (step === 0) {
    const text = t('web.change.same');
    return { text, direction: 'none', judgement: 'neutral' };
  }
  const isUp = step > 0;
  const change = t(isUp ? 'web.change.more' : 'web.change.less', {
    percent: formatPercent(Math.abs(percent)),
  });
  const judgement = isUp !== isIncreaseBad ? 'better' : 'worse';
  return {
    text: t(`web.change.${judgement}`, { change }),
    direction: isUp ? 'up' : 'down',
    judgement,
  };
}
