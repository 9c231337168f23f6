import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Alert } from '@backstage/ui';
import { ReadFailure } from '@slipway/app-react';
import { EmptyState, LoadingRows } from '@slipway/design-system';
import { useUnmatched } from '../../data/useLake';
import { deliveryLakeTranslationRef } from '../../translation';
import { DeliveriesPanel } from './DeliveriesPanel';
import { OrphanIncidentsPanel } from './OrphanIncidentsPanel';
import { UnmatchedServicesPanel } from './UnmatchedServicesPanel';

/** What the lake took in and could not place, and what to do about it. */
export function UnmatchedPage() {
  const { t } = useTranslationRef(deliveryLakeTranslationRef);
  const { data, error, isPending, refetch } = useUnmatched();
  if (isPending) {
    return <LoadingRows label={t('unmatched.loading')} rows={6} />;
  }
  if (error) {
    return (
      <ReadFailure
        title={t('unmatched.failed')}
        error={error}
        onRetry={() => refetch()}
      />
    );
  }
  const { services, incidents, deliveries, deploymentsWithoutChange } = data;
  const isEmpty =
    services.length + incidents.length + deliveries.length === 0 &&
    deploymentsWithoutChange === 0;
  return (
    <>
      {isEmpty && (
        <EmptyState
          title={t('unmatched.noneTitle')}
          description={t('unmatched.noneDescription')}
        />
      )}
      {deploymentsWithoutChange > 0 && (
        <Alert
          status="info"
          icon
          title={t('unmatched.withoutChange', {
            count: deploymentsWithoutChange,
          })}
        />
      )}
      {services.length > 0 && <UnmatchedServicesPanel services={services} />}
      {incidents.length > 0 && (
        <OrphanIncidentsPanel
          incidents={incidents}
          total={data.totalIncidents}
        />
      )}
      {deliveries.length > 0 && <DeliveriesPanel deliveries={deliveries} />}
    </>
  );
}
