import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Sparkline, Tile } from '@slipway/design-system';
import type {
  DoraMetric,
  DoraMetricName,
  DoraMetricsResponse,
} from '@slipway/plugin-delivery-lake-common';
import { describeChange } from '../../format/metricChange';
import { formatMetric } from '../../format/metricValue';
import { deliveryLakeTranslationRef } from '../../translation';
import { LevelBadge } from './LevelBadge';

/** A metric of a period as a tile. */
export function MetricTile(props: {
  name: DoraMetricName;
  metric: DoraMetric;
  /** Explains where the level comes from. */
  levels: DoraMetricsResponse['beyond']['levels'];
  /** Length of the period. */
  days: number;
  /** What else there is to know of what the value rests on. */
  notes?: readonly string[];
  /** The course over the period. */
  course?: readonly (number | null)[];
  size?: 'medium' | 'small';
}) {
  const { name, metric, levels, days, notes = [], course, size } = props;
  const { t } = useTranslationRef(deliveryLakeTranslationRef);
  const isEmpty = metric.samples === 0;
  const change = describeChange(t, name, metric, days);
  const basis = t(`samples.${name}`, { count: metric.samples });
  return (
    <Tile
      size={size}
      label={t(`metric.${name}`)}
      value={formatMetric(t, name, isEmpty ? null : metric.value)}
      isEmpty={isEmpty}
      badge={!isEmpty && <LevelBadge level={metric.performance} />}
      change={change}
      chart={course && !isEmpty && <Sparkline values={course} />}
      footnote={[...(isEmpty ? [] : [basis]), ...notes].join(' · ')}
      definition={
        <>
          <p>{t(`definition.${name}`)}</p>
          <p>
            {t(
              levels === 'table'
                ? 'definition.levelsTable'
                : 'definition.levelsPercentile',
            )}
          </p>
        </>
      }
    />
  );
}
