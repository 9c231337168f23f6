import { useTranslationRef } from '@backstage/frontend-plugin-api';
import type { DoraMetricsResponse } from '@slipway/plugin-delivery-lake-common';
import { formatMetric } from '../../format/metricValue';
import { deliveryLakeTranslationRef } from '../../translation';
import { LevelBadge } from './LevelBadge';
import styles from './MetricLines.module.css';

const FOUR = [
  'deploymentFrequency',
  'leadTimeForChanges',
  'changeFailureRate',
  'timeToRestoreService',
] as const;

/** The four metrics in four lines, for a card. */
export function MetricLines({ metrics }: { metrics: DoraMetricsResponse }) {
  const { t } = useTranslationRef(deliveryLakeTranslationRef);
  return (
    <dl className={styles.lines}>
      {FOUR.map(name => {
        const { value, samples, performance } = metrics.metrics[name];
        return (
          <div key={name}>
            <dt>{t(`metric.${name}`)}</dt>
            <dd data-empty={samples === 0}>
              {formatMetric(t, name, samples === 0 ? null : value)}
            </dd>
            <dd className={styles.level}>
              {samples > 0 && <LevelBadge level={performance} />}
            </dd>
          </div>
        );
      })}
    </dl>
  );
}
