import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Text } from '@backstage/ui';
import { Loaded } from '@slipway/app-react';
import { daysIn, LoadingRows } from '@slipway/design-system';
import {
  type DoraMetricsResponse,
  FOUR_KEYS,
} from '@slipway/plugin-delivery-lake-common';
import type { LakeQuery } from '../api/DeliveryLakeApi';
import { formatMetric } from '../format/metricValue';
import { recentDays, useMetrics } from '../queries';
import type { ScopeKind } from '../scope';
import { deliveryLakeTranslationRef } from '../translation';
import { LevelBadge } from './MetricTiles';
import styles from './MetricSummary.module.css';

/** Shows the four keys of the last 30 days in a card, or the loading, empty or error state. */
export function MetricSummary({
  query,
}: {
  query: Pick<LakeQuery, ScopeKind>;
}) {
  const { t } = useTranslationRef(deliveryLakeTranslationRef);
  return (
    <Loaded
      query={useMetrics({ ...query, ...recentDays() })}
      failed={t('card.failed')}
      loading={<LoadingRows label={t('card.loading')} rows={4} />}
    >
      {data => {
        const days = String(daysIn(data.period));
        return data.metrics.deploymentFrequency.samples === 0 ? (
          <Text as="p" color="secondary">
            {t('card.none', { days })}
          </Text>
        ) : (
          <>
            <Text as="p" variant="body-small" color="secondary">
              {t('card.period', { days })}
            </Text>
            <MetricLines metrics={data} />
          </>
        );
      }}
    </Loaded>
  );
}

/** Shows the four keys in four lines, for a card. */
function MetricLines({ metrics }: { metrics: DoraMetricsResponse }) {
  const { t } = useTranslationRef(deliveryLakeTranslationRef);
  return (
    <dl className={styles.lines}>
      {FOUR_KEYS.map(name => {
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
