import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { type PageFrameProps, ReadFailure } from '@slipway/app-react';
import { LoadingBlock, Page, PageHeader } from '@slipway/design-system';
import { searchOf } from '../data/useDeliveryLinks';
import { useLakeStatus } from '../data/useLake';
import { useView } from '../data/useView';
import { deliveryLakeTranslationRef } from '../translation';
import { ExportButton } from './ExportButton';

/** The header above the tabs; scope and period go along from tab to tab. */
export function DeliveryFrame({ children, ...header }: PageFrameProps) {
  const { t } = useTranslationRef(deliveryLakeTranslationRef);
  const { scope, periodText: period } = useView();
  const { data: status, error, refetch } = useLakeStatus();
  const search = searchOf({ scope, period });
  const unmatched = status?.unmatchedServices ?? 0;
  return (
    <Page
      header={
        <PageHeader
          {...header}
          description={t('page.description')}
          action={<ExportButton of={header.activeTab} />}
          tabs={header.tabs.map(({ id, label, href }) => ({
            id,
            label:
              id === 'unmatched' && unmatched > 0
                ? `${label} (${unmatched})`
                : label,
            href: href + search,
          }))}
        />
      }
    >
      {error && !status && (
        <ReadFailure
          title={t('page.statusFailed')}
          error={error}
          onRetry={() => refetch()}
        />
      )}
      {!error && !status && (
        <LoadingBlock label={t('page.loading')} height={240} />
      )}
      {status && children}
    </Page>
  );
}
