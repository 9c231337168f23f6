import { useState } from 'react';
import {
  toastApiRef,
  useApi,
  useTranslationRef,
} from '@backstage/frontend-plugin-api';
import { usePermission } from '@backstage/plugin-permission-react';
import { Button } from '@backstage/ui';
import { RiDownload2Line } from '@remixicon/react';
import { type PageFrameProps, Loaded, useErrorWords } from '@slipway/app-react';
import {
  LoadingBlock,
  Page,
  PageHeader,
  saveFile,
} from '@slipway/design-system';
import { deliveryConnectPermission } from '@slipway/plugin-delivery-lake-common';
import { deliveryLakeApiRef } from '../api/DeliveryLakeApi';
import { useLakeStatus, useView } from '../queries';
import { searchOf } from '../routes';
import { deliveryLakeTranslationRef } from '../translation';
import { useDeploymentFilters, useIncidentFilters } from './recordFilters';

/** The header above the tabs; scope and period are kept when switching tabs. */
export function DeliveryFrame({ children, ...header }: PageFrameProps) {
  const { t } = useTranslationRef(deliveryLakeTranslationRef);
  const { scope, periodText: period } = useView();
  const query = useLakeStatus();
  const search = searchOf({ scope, period });
  const { allowed } = usePermission({ permission: deliveryConnectPermission });
  // The tab is kept while its page is open, which then explains who has access.
  const tabs = header.tabs.filter(
    ({ id }) =>
      allowed || id !== 'connections' || header.activeTab === 'connections',
  );
  const unmatched = query.data?.unmatchedServices ?? 0;
  return (
    <Page
      header={
        <PageHeader
          {...header}
          description={t('page.description')}
          action={<ExportButton of={header.activeTab} />}
          tabs={tabs.map(({ id, label, href }) => ({
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
      <Loaded
        query={query}
        failed={t('page.statusFailed')}
        loading={<LoadingBlock label={t('page.loading')} height={240} />}
      >
        {() => children}
      </Loaded>
    </Page>
  );
}

const EXPORTED = ['overview', 'deployments', 'incidents'];

/**
 * Downloads the records of a tab; on the overview, the deployments that its metrics are based on.
 */
function ExportButton(props: {
  /** The open tab; the button is only shown for tabs with records. */
  of: string | undefined;
}) {
  const { t } = useTranslationRef(deliveryLakeTranslationRef);
  const errorWords = useErrorWords();
  const api = useApi(deliveryLakeApiRef);
  const toastApi = useApi(toastApiRef);
  const { period } = useView();
  const deployments = useDeploymentFilters();
  const incidents = useIncidentFilters();
  const [isPending, setIsPending] = useState(false);

  const download = async () => {
    setIsPending(true);
    const days = `${period.startDate}-to-${period.endDate}`;
    try {
      if (props.of === 'incidents') {
        const file = await api.exportIncidents(incidents.query);
        saveFile(`incidents-${days}.csv`, file);
      } else {
        const file = await api.exportDeployments(deployments.query);
        saveFile(`deployments-${days}.csv`, file);
      }
    } catch (error) {
      toastApi.post({
        title: t('export.failed'),
        description: errorWords(error),
        status: 'danger',
      });
    } finally {
      setIsPending(false);
    }
  };

  if (!EXPORTED.some(tab => tab === props.of)) {
    return null;
  }
  return (
    <Button
      variant="secondary"
      isPending={isPending}
      iconStart={<RiDownload2Line aria-hidden />}
      onPress={download}
    >
      {t('export.label')}
    </Button>
  );
}
