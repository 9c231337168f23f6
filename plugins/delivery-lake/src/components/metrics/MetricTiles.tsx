import type { ReactNode } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import type {
  DoraMetricName,
  DoraMetricsResponse,
  DoraSeriesResponse,
} from '@slipway/plugin-delivery-lake-common';
import { daysIn } from '@slipway/design-system';
import { type Translate, deliveryLakeTranslationRef } from '../../translation';
import { MetricTile } from './MetricTile';
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
