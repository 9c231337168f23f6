import { useMemo, useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { ToggleButton } from '@backstage/ui';
import { RiTableLine } from '@remixicon/react';
import { Panel, SeriesTable, TimeSeriesChart } from '@slipway/design-system';
import type {
  DoraMetricName,
  DoraSeriesResponse,
} from '@slipway/plugin-delivery-lake-common';
import type { Scope } from '../../data/scope';
import { useDeliveryLinks } from '../../data/useDeliveryLinks';
import { metricScale } from '../../format/metricScale';
import { unitOf } from '../../format/metricValue';
import { deliveryLakeTranslationRef } from '../../translation';
import { seriesPoints } from './seriesPoints';

const TITLES = {
  day: 'chart.byDay',
  week: 'chart.byWeek',
  month: 'chart.byMonth',
} as const;

/** One metric over time, as a chart or a table. */
export function MetricChart(props: {
  metric: DoraMetricName;
  series: DoraSeriesResponse;
  scope: Scope | undefined;
  /** Number of the chart colour, from 1. */
  color: number;
}) {
  const { metric, series, scope, color } = props;
  const { t } = useTranslationRef(deliveryLakeTranslationRef);
  const links = useDeliveryLinks();
  const [isTable, setIsTable] = useState(false);

  const scale = useMemo(() => {
    const values = series.points.map(point => point.metrics[metric].value ?? 0);
    return metricScale(t, metric, Math.max(0, ...values));
  }, [t, series, metric]);
  const points = useMemo(
    () => seriesPoints({ t, links, series, metric, scope, rate: scale.rate }),
    [t, links, series, metric, scope, scale],
  );

  const name = t(`metric.${metric}`);
  const label = t(TITLES[series.interval], { metric: name });
  const table = (
    <SeriesTable
      label={label}
      points={points}
      hidden={!isTable}
      columns={{
        time: t('chart.time'),
        value: t('chart.value'),
        notes: t('chart.notes'),
      }}
    />
  );
  return (
    <Panel
      title={label}
      action={
        <ToggleButton
          size="small"
          aria-label={t('chart.asTable')}
          isSelected={isTable}
          onChange={setIsTable}
          iconStart={<RiTableLine size={16} aria-hidden />}
        />
      }
    >
      {!isTable && (
        <TimeSeriesChart
          label={label}
          kind={unitOf(metric) === 'hours' ? 'line' : 'bar'}
          points={points}
          ticks={scale.ticks}
          formatTick={scale.formatTick}
          color={color}
        />
      )}
      {table}
    </Panel>
  );
}
