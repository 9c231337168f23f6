import { ResponseError } from '@backstage/errors';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { ButtonLink } from '@backstage/ui';
import { RiExternalLinkLine } from '@remixicon/react';
import { ReadFailure } from '@slipway/app-react';
import { EmptyState, LoadingRows, SidePanel } from '@slipway/design-system';
import type { DeploymentResponse } from '@slipway/plugin-delivery-lake-common';
import { DeploymentMarks } from '../../components/records/DeploymentMarks';
import { DeploymentStatusBadge } from '../../components/records/DeploymentStatusBadge';
import { useDeployment } from '../../data/useRecords';
import { deliveryLakeTranslationRef } from '../../translation';
import { DeliveredChanges } from './DeliveredChanges';
import { DeploymentFacts } from './DeploymentFacts';
import { DeploymentIncidents } from './DeploymentIncidents';
import styles from './DeploymentPanel.module.css';

/** One deployment: its facts, what it brought, and what came of it. */
export function DeploymentPanel(props: {
  deploymentId: string;
  onClose(): void;
}) {
  const { deploymentId, onClose } = props;
  const { t } = useTranslationRef(deliveryLakeTranslationRef);
  const { data, error, isPending, refetch } = useDeployment(deploymentId);
  const isUnknown =
    error instanceof ResponseError && error.response.status === 404;
  return (
    <SidePanel
      title={
        data
          ? `${data.deployment.service} ${data.deployment.version}`
          : deploymentId
      }
      status={data && <DeploymentStatusBadge status={data.deployment.status} />}
      onClose={onClose}
    >
      {isPending && <LoadingRows label={t('deployment.loading')} rows={6} />}
      {isUnknown && (
        <EmptyState
          title={t('deployment.notFound')}
          description={t('deployment.notFoundAdvice')}
        />
      )}
      {error && !isUnknown && (
        <ReadFailure
          title={t('deployment.failed')}
          error={error}
          onRetry={() => refetch()}
        />
      )}
      {data && <DeploymentBody data={data} />}
    </SidePanel>
  );
}

function DeploymentBody({ data }: { data: DeploymentResponse }) {
  const { deployment, changes, totalChanges } = data;
  const { t } = useTranslationRef(deliveryLakeTranslationRef);
  return (
    <>
      {(deployment.failed || deployment.rework) && (
        <DeploymentMarks deployment={deployment} />
      )}
      <DeploymentFacts deployment={deployment} />
      {deployment.url && (
        <ButtonLink
          className={styles.source}
          href={deployment.url}
          target="_blank"
          rel="noopener"
          variant="secondary"
          size="small"
          iconEnd={<RiExternalLinkLine aria-hidden />}
        >
          {t('deployment.open')}
        </ButtonLink>
      )}
      <DeploymentIncidents deployment={deployment} />
      <DeliveredChanges changes={changes} total={totalChanges} />
    </>
  );
}
