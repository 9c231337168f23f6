import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Text } from '@backstage/ui';
import {
  type RemixiconComponentType,
  RiArrowUpCircleFill,
  RiStarFill,
} from '@remixicon/react';
import { Loaded } from '@slipway/app-react';
import {
  daysIn,
  LoadingRows,
  StatusBadge,
  type Tone,
} from '@slipway/design-system';
import type {
  DoraMetricsResponse,
  Performance,
} from '@slipway/plugin-delivery-lake-common';
import type { LakeQuery } from '../api/DeliveryLakeApi';
import { formatMetric } from '../format/metricValue';
import { recentDays, useMetrics } from '../queries';
import type { ScopeKind } from '../scope';
import { deliveryLakeTranslationRef } from '../translation';
import styles from './MetricSummary.module.css';

/** Shows the four metrics of the last 30 days in a card, or the loading, empty or error state. */
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

/** The four metrics, which are the main ones of a page or card. */
export const FOUR = [
  'deploymentFrequency',
  'leadTimeForChanges',
  'changeFailureRate',
  'timeToRestoreService',
] as const;

/** The four metrics in four lines, for a card. */
function MetricLines({ metrics }: { metrics: DoraMetricsResponse }) {
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

const LOOKS: Record<
  Performance,
  { tone: Tone; icon?: RemixiconComponentType }
> = {
  elite: { tone: 'success', icon: RiStarFill },
  high: { tone: 'success', icon: RiArrowUpCircleFill },
  medium: { tone: 'warning' },
  low: { tone: 'danger' },
};

/** Shows a performance level as a word, shape and colour. */
export function LevelBadge({ level }: { level: Performance }) {
  const { t } = useTranslationRef(deliveryLakeTranslationRef);
  return <StatusBadge {...LOOKS[level]} label={t(`level.${level}`)} />;
}
