import { useState } from 'react';
import {
  toastApiRef,
  useApi,
  useTranslationRef,
} from '@backstage/frontend-plugin-api';
import { Button } from '@backstage/ui';
import { RiDownload2Line } from '@remixicon/react';
import { useErrorWords } from '@slipway/app-react';
import { deliveryLakeApiRef } from '../api/DeliveryLakeApi';
import { useView } from '../data/useView';
import { deliveryLakeTranslationRef } from '../translation';
import { useDeploymentFilters } from './Deployments/useDeploymentFilters';
import { useIncidentFilters } from './Incidents/useIncidentFilters';

const EXPORTED = ['overview', 'deployments', 'incidents'];

/** Saves a file that is in memory already; a link alone could not carry the session. */
function save(file: Blob, name: string): void {
  const url = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}

/** Downloads what a tab shows; of the overview, the deployments behind it. */
export function ExportButton(props: {
  /** The open tab; there is a button for those alone that have records. */
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
        save(file, `incidents-${days}.csv`);
      } else {
        const file = await api.exportDeployments(deployments.query);
        save(file, `deployments-${days}.csv`);
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
