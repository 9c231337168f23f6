import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { ReadFailure } from '@slipway/app-react';
import { useUrlFilters } from '@slipway/design-system';
import type { SeriesInterval } from '@slipway/plugin-delivery-lake-common';
import { LakeFilterBar } from '../../components/filters/LakeFilterBar';
import { MetricTiles } from '../../components/metrics/MetricTiles';
import { MetricTilesSkeleton } from '../../components/metrics/MetricTilesSkeleton';
import { useMetrics, useSeries } from '../../data/useLake';
import { useView } from '../../data/useView';
import { deliveryLakeTranslationRef } from '../../translation';
import { UnlessEmpty } from '../Empty/EmptyLake';
import { Breakdown } from './Breakdown';
import { Improvements } from './Improvements';
import { MetricCharts } from './MetricCharts';

function parseInterval(text: string): SeriesInterval {
  return text === 'day' || text === 'month' ? text : 'week';
}

/** The metrics of a scope and a period: now, over time, and of its parts. */
export function OverviewPage() {
  return (
    <UnlessEmpty>
      <Overview />
    </UnlessEmpty>
  );
}

function Overview() {
  const { t } = useTranslationRef(deliveryLakeTranslationRef);
  const view = useView();
  const filters = useUrlFilters({ scope: '', period: '' });
  const { values, set } = useUrlFilters({ interval: '' });
  const interval = parseInterval(values.interval);
  const metrics = useMetrics(view.query);
  const series = useSeries(view.query, interval);
  return (
    <>
      <LakeFilterBar view={view} filters={filters} />
      {metrics.error && (
        <ReadFailure
          title={t('overview.failed')}
          error={metrics.error}
          onRetry={() => metrics.refetch()}
        />
      )}
      {metrics.isPending && (
        <MetricTilesSkeleton label={t('overview.loading')} />
      )}
      {metrics.data && (
        <MetricTiles
          metrics={metrics.data}
          series={series.data}
          aside={<Improvements view={view} />}
        />
      )}
      {!metrics.data && <Improvements view={view} />}
      <MetricCharts
        view={view}
        interval={interval}
        onIntervalChange={next => set('interval', next === 'week' ? '' : next)}
      />
      <Breakdown view={view} />
    </>
  );
}
