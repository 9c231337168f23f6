import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Link } from '@backstage/ui';
import {
  RiArrowRightDownLine,
  RiArrowRightLine,
  RiArrowRightUpLine,
  RiErrorWarningLine,
} from '@remixicon/react';
import { ReadFailure } from '@slipway/app-react';
import {
  LoadingRows,
  Panel,
  StatusBadge,
  useUrlFilters,
} from '@slipway/design-system';
import type {
  Improvement,
  SeriesInterval,
} from '@slipway/plugin-delivery-lake-common';
import { LakeFilterBar } from '../../components/LakeFilterBar';
import { MetricTiles, MetricTilesSkeleton } from '../../components/MetricTiles';
import { formatMetric, worseOf } from '../../format/metricValue';
import {
  useImprovements,
  useMetrics,
  useSeries,
  useView,
  type View,
} from '../../queries';
import { useLinks } from '../../routes';
import { deliveryLakeTranslationRef } from '../../translation';
import { UnlessEmpty } from '../EmptyLake';
import { Breakdown } from './Breakdown';
import { MetricCharts } from './MetricCharts';
import styles from './Overview.module.css';

function parseInterval(text: string): SeriesInterval {
  return text === 'day' || text === 'month' ? text : 'week';
}

/** Shows the metrics of a scope and a period: now, over time, and for its parts. */
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
  const { values, set } = useUrlFilters({ interval: 'week' });
  const interval = parseInterval(values.interval);
  const metrics = useMetrics(view.query);
  const series = useSeries(view.query, interval);
  const improvements = useImprovements(view.query);
  const panel = (
    <Improvements
      query={improvements}
      view={view}
      worse={metrics.data ? worseOf(t, metrics.data) : []}
    />
  );
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
        <MetricTilesSkeleton hasAside label={t('overview.loading')} />
      )}
      {metrics.data && (
        <MetricTiles
          metrics={metrics.data}
          series={series.data}
          aside={panel}
        />
      )}
      {metrics.error && panel}
      <MetricCharts
        view={view}
        interval={interval}
        onIntervalChange={next => set('interval', next)}
      />
      <Breakdown view={view} />
    </>
  );
}

/** Maximum number of improvements shown. */
const SHOWN = 5;

/** Lists the scope's largest potential for improvement; each line links to the part it names. */
function Improvements(props: {
  query: ReturnType<typeof useImprovements>;
  view: View;
  /** Names of the metrics of the whole scope that got worse, consistent with the tiles. */
  worse: readonly string[];
}) {
  const { t } = useTranslationRef(deliveryLakeTranslationRef);
  const { view, worse } = props;
  const { data, error, isPending, refetch } = props.query;
  return (
    <Panel title={t('improve.title')} padded={false}>
      {isPending && <LoadingRows label={t('improve.loading')} rows={4} />}
      {error && (
        <ReadFailure
          title={t('improve.failed')}
          error={error}
          onRetry={() => refetch()}
        />
      )}
      {data?.items.length === 0 && (
        <p className={styles.quiet}>
          {worse.length === 0
            ? t('improve.none')
            : t('improve.noPart', { metrics: worse.join(', ') })}
        </p>
      )}
      {data && data.items.length > 0 && (
        <ul className={styles.improvements}>
          {data.items.slice(0, SHOWN).map(item => (
            <ImprovementLine
              key={`${item.metric} ${item.scope.by} ${item.scope.name}`}
              item={item}
              view={view}
            />
          ))}
        </ul>
      )}
    </Panel>
  );
}

/** Icons for the direction of a value; for most metrics, up is worse. */
const TREND_ICONS = {
  increasing: RiArrowRightUpLine,
  decreasing: RiArrowRightDownLine,
  stable: RiArrowRightLine,
};

function ImprovementLine({ item, view }: { item: Improvement; view: View }) {
  const { t } = useTranslationRef(deliveryLakeTranslationRef);
  const links = useLinks();
  const { metric, scope, value, performance, trend, reason } = item;
  const words = formatMetric(t, metric, value);
  const href = links.overview({
    scope: { kind: scope.by, name: scope.name },
    period: view.periodText,
  });
  return (
    <li>
      <StatusBadge
        tone={reason === 'low-level' ? 'danger' : 'warning'}
        icon={reason === 'low-level' ? RiErrorWarningLine : TREND_ICONS[trend]}
        label={t(`metric.${metric}`)}
      />
      <Link href={href}>{scope.title}</Link>
      <span>
        {reason === 'low-level'
          ? t('improve.lowLevel', {
              value: words,
              level: t(`level.${performance}`).toLocaleLowerCase('en'),
            })
          : t('improve.gotWorse', {
              value: words,
              trend: t(`trend.${trend}`),
            })}
      </span>
    </li>
  );
}
