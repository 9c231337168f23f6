import type { ReactNode } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Skeleton } from '@backstage/ui';
import { daysIn, Skeletons, Sparkline, Tile } from '@slipway/design-system';
import type {
  DoraMetric,
  DoraMetricName,
  DoraMetricsResponse,
  DoraSeriesResponse,
} from '@slipway/plugin-delivery-lake-common';
import { describeChange, formatMetric } from '../format/metricValue';
import { deliveryLakeTranslationRef, type Translate } from '../translation';
import { LevelBadge } from './MetricSummary';
import styles from './MetricTiles.module.css';

const FOUR = [
  'deploymentFrequency',
  'leadTimeForChanges',
  'changeFailureRate',
  'timeToRestoreService',
] as const satisfies DoraMetricName[];

const BESIDE = [
  'failedDeploymentRecoveryTime',
  'deploymentReworkRate',
] as const satisfies DoraMetricName[];

/** The four metrics, and the two that the field uses beside them. */
export function MetricTiles(props: {
  metrics: DoraMetricsResponse;
  series?: DoraSeriesResponse;
  /** Beside the two. */
  aside?: ReactNode;
}) {
  const { metrics, series, aside } = props;
  const { t } = useTranslationRef(deliveryLakeTranslationRef);
  const { beyond } = metrics;
  const common = (name: DoraMetricName) => ({
    name,
    levels: beyond.levels,
    days: daysIn(metrics.period),
    notes: notesOf(t, name, beyond),
    course: series?.points.map(point => point.metrics[name].value),
  });
  return (
    <div
      className={styles.groups}
      role="group"
      aria-label={t('overview.tiles')}
    >
      <div className={styles.four}>
        {FOUR.map(name => (
          <MetricTile
            key={name}
            {...common(name)}
            metric={metrics.metrics[name]}
          />
        ))}
      </div>
      <div className={styles.beside} data-aside={aside !== undefined}>
        {BESIDE.map(name => (
          <MetricTile
            key={name}
            {...common(name)}
            metric={beyond[name]}
            course={undefined}
            size="small"
          />
        ))}
        {aside}
      </div>
    </div>
  );
}

/** What must be known to trust a number. */
function notesOf(
  t: Translate,
  name: DoraMetricName,
  beyond: DoraMetricsResponse['beyond'],
): string[] {
  switch (name) {
    case 'leadTimeForChanges':
      return beyond.changesWithoutLeadTime > 0
        ? [
            t('samples.withoutLeadTime', {
              count: beyond.changesWithoutLeadTime,
            }),
          ]
        : [];
    case 'changeFailureRate':
      return beyond.failures.guessed > 0
        ? [t('samples.guessedFailures', { count: beyond.failures.guessed })]
        : [];
    case 'timeToRestoreService':
      return beyond.openIncidents > 0
        ? [t('samples.openIncidents', { count: beyond.openIncidents })]
        : [];
    default:
      return [];
  }
}

/** A metric of a period as a tile. */
function MetricTile(props: {
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

/** Stands where the tiles will be. */
export function MetricTilesSkeleton({ label }: { label: string }) {
  return (
    <Skeletons label={label}>
      <div className={styles.groups}>
        <div className={styles.four}>
          {[0, 1, 2, 3].map(tile => (
            <TileSkeleton key={tile} height={148} />
          ))}
        </div>
        <div className={styles.beside}>
          {[0, 1].map(tile => (
            <TileSkeleton key={tile} height={84} />
          ))}
        </div>
      </div>
    </Skeletons>
  );
}

function TileSkeleton({ height }: { height: number }) {
  return (
    <div className={styles.skeleton} style={{ minHeight: height }}>
      <Skeleton width="56%" height={14} />
      <Skeleton width="40%" height={24} />
      <Skeleton width="72%" height={14} />
    </div>
  );
}
