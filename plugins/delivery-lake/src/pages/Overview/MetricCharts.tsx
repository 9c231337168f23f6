import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { ToggleButton, ToggleButtonGroup } from '@backstage/ui';
import { ReadFailure } from '@slipway/app-react';
import { LoadingBlock } from '@slipway/design-system';
import {
  DORA_METRICS,
  type SeriesInterval,
} from '@slipway/plugin-delivery-lake-common';
import { useSeries } from '../../data/useLake';
import type { View } from '../../data/useView';
import { deliveryLakeTranslationRef } from '../../translation';
import { MetricChart } from './MetricChart';
import styles from './Overview.module.css';

const INTERVALS: SeriesInterval[] = ['day', 'week', 'month'];

/** A chart per metric, and by what its points are taken. */
export function MetricCharts(props: {
  view: View;
  interval: SeriesInterval;
  onIntervalChange(interval: SeriesInterval): void;
}) {
  const { view, interval, onIntervalChange } = props;
  const { t } = useTranslationRef(deliveryLakeTranslationRef);
  const series = useSeries(view.query, interval);
  return (
    <section className={styles.section} aria-label={t('chart.title')}>
      <div className={styles.sectionHead}>
        <h2>{t('chart.title')}</h2>
        <ToggleButtonGroup
          aria-label={t('chart.interval')}
          selectionMode="single"
          disallowEmptySelection
          selectedKeys={[interval]}
          onSelectionChange={keys => {
            const chosen = INTERVALS.find(candidate => keys.has(candidate));
            if (chosen) {
              onIntervalChange(chosen);
            }
          }}
        >
          {INTERVALS.map(id => (
            <ToggleButton key={id} id={id} size="small">
              {t(`chart.${id}`)}
            </ToggleButton>
          ))}
        </ToggleButtonGroup>
      </div>
      {series.error && (
        <ReadFailure
          title={t('chart.failed')}
          error={series.error}
          onRetry={() => series.refetch()}
        />
      )}
      {series.isPending && (
        <LoadingBlock label={t('chart.loading')} height={240} />
      )}
      {series.data && (
        <>
          <div className={styles.charts}>
            {DORA_METRICS.map((metric, index) => (
              <MetricChart
                key={metric}
                metric={metric}
                series={series.data}
                scope={view.scope}
                color={index + 1}
              />
            ))}
          </div>
          {series.data.points.some(p => p.partial || p.provisional) && (
            <p className={styles.legend}>{t('chart.legend')}</p>
          )}
        </>
      )}
    </section>
  );
}
