import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { ActionButtons, useSuspectedFlags } from '@slipway/app-react';
import type { DeploymentDetails } from '@slipway/plugin-delivery-lake-common';
import { deliveryLakeTranslationRef } from '../translation';
import { useDeploymentSubject } from './deploymentSubject';
import styles from './recordPanel.module.css';
import { SourceButton } from './SourceButton';

/**
 * Links to the system that made a deployment, and shows other plugins' actions for it and, if it
 * failed, for the flags that may have caused the failure.
 */
export function DeploymentActions(props: { deployment: DeploymentDetails }) {
  const { deployment } = props;
  const { t } = useTranslationRef(deliveryLakeTranslationRef);
  const { subject, isLoading } = useDeploymentSubject(deployment);
  const flags = useSuspectedFlags(
    subject?.failed ? subject.entityRef : undefined,
    deployment.endTime ?? deployment.startTime,
  );
  return (
    <div className={styles.actions}>
      <SourceButton url={deployment.url} />
      {subject && !isLoading && (
        <ActionButtons
          className={styles.actions}
          label={t('deployment.actions', { title: subject.title })}
          subjects={[subject, ...flags]}
        />
      )}
    </div>
  );
}
