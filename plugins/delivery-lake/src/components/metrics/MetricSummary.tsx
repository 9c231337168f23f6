import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Text } from '@backstage/ui';
import { ReadFailure } from '@slipway/app-react';
import { LoadingRows, daysIn } from '@slipway/design-system';
import type { LakeQuery } from '../../api/DeliveryLakeApi';
import { recentDays } from '../../data/recentDays';
import type { ScopeKind } from '../../data/scope';
import { useMetrics } from '../../data/useLake';
import { deliveryLakeTranslationRef } from '../../translation';
import { MetricLines } from './MetricLines';

/** The four metrics of the last 30 days for a card, in whatever state they are. */
export function MetricSummary({
  query,
}: {
  query: Pick<LakeQuery, ScopeKind>;
}) {
  const { t } = useTranslationRef(deliveryLakeTranslationRef);
  const { data, error, isPending, refetch } = useMetrics({
    ...query,
    ...recentDays(),
  });
  if (isPending) {
    return <LoadingRows label={t('card.loading')} rows={4} />;
  }
  if (error) {
    return (
      <ReadFailure
        title={t('card.failed')}
        error={error}
        onRetry={() => refetch()}
      />
    );
  }
  const days = String(daysIn(data.period));
  if (data.metrics.deploymentFrequency.samples === 0) {
    return (
      <Text as="p" color="secondary">
        {t('card.none', { days })}
      </Text>
    );
  }
  return (
    <>
      <Text as="p" variant="body-small" color="secondary">
        {t('card.period', { days })}
      </Text>
      <MetricLines metrics={data} />
    </>
  );
}
