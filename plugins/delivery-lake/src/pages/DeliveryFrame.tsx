import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { ReadFailure } from '@slipway/app-react';
import { LoadingBlock, Page, PageHeader } from '@slipway/design-system';
import { Outlet, useLocation } from 'react-router-dom';
import { useDeliveryLinks } from '../data/useDeliveryLinks';
import { useLakeStatus } from '../data/useLake';
import { useView } from '../data/useView';
import { deliveryLakeTranslationRef } from '../translation';
import { ExportButton } from './ExportButton';

const SUB_PAGES = ['deployments', 'incidents', 'unmatched'] as const;

/** Header and tabs of every page; scope and period go along from tab to tab. */
export function DeliveryFrame() {
  const { t } = useTranslationRef(deliveryLakeTranslationRef);
  const links = useDeliveryLinks();
  const { pathname } = useLocation();
  const { scope, periodText: period } = useView();
  const { data: status, error, refetch } = useLakeStatus();

  const below = pathname.slice(links.overview().length).split('/')[1];
  const active = SUB_PAGES.find(page => page === below) ?? 'overview';
  const shared = { scope, period };
  const unmatched = status?.unmatchedServices ?? 0;
  return (
    <Page
      header={
        <PageHeader
          title={t('page.title')}
          description={t('page.description')}
          action={active !== 'unmatched' && <ExportButton of={active} />}
          activeTab={active}
          tabs={[
            {
              id: 'overview',
              label: t('page.overview'),
              href: links.overview(shared),
            },
            {
              id: 'deployments',
              label: t('page.deployments'),
              href: links.deployments(shared),
            },
            {
              id: 'incidents',
              label: t('page.incidents'),
              href: links.incidents(shared),
            },
            {
              id: 'unmatched',
              label:
                unmatched > 0
                  ? t('page.unmatchedCount', { total: String(unmatched) })
                  : t('page.unmatched'),
              href: links.unmatched(shared),
            },
          ]}
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
      {status && <Outlet />}
    </Page>
  );
}
