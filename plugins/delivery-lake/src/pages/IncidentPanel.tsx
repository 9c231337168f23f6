import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { ActionButtons, Loaded, useSuspectedFlags } from '@slipway/app-react';
import {
  Details,
  Duration,
  EmptyState,
  LoadingRows,
  RelativeTime,
  SidePanel,
} from '@slipway/design-system';
import type {
  DeploymentDetails,
  IncidentDetails,
} from '@slipway/plugin-delivery-lake-common';
import { IncidentStateBadge } from '../components/IncidentList';
import { useDeploymentsAround } from '../around';
import { useIncident } from '../queries';
import { useLinks } from '../routes';
import { deliveryLakeTranslationRef } from '../translation';
import { useDeploymentSubject } from './deploymentSubject';
import { IncidentDeployments } from './IncidentDeployments';
import { useOwnerFacts } from './panelParts';
import styles from './recordPanel.module.css';
import { SourceButton } from './SourceButton';

/** Shows an incident's details, and the deployments that may have caused and resolved it. */
export function IncidentPanel(props: { incidentId: string; onClose(): void }) {
  const { incidentId, onClose } = props;
  const { t } = useTranslationRef(deliveryLakeTranslationRef);
  const query = useIncident(incidentId);
  const { data } = query;
  return (
    <SidePanel
      title={data?.title ?? incidentId}
      status={data && <IncidentStateBadge incident={data} />}
      onClose={onClose}
    >
      <Loaded
        query={query}
        failed={t('incident.failed')}
        loading={<LoadingRows label={t('incident.loading')} rows={6} />}
        missing={
          <EmptyState
            title={t('incident.notFound')}
            description={t('deployment.notFoundAdvice')}
          />
        }
      >
        {incident => <IncidentBody incident={incident} />}
      </Loaded>
    </SidePanel>
  );
}

function IncidentBody({ incident }: { incident: IncidentDetails }) {
  const { t } = useTranslationRef(deliveryLakeTranslationRef);
  const around = useDeploymentsAround(incident);
  return (
    <>
      <IncidentFacts incident={incident} />
      <Loaded
        query={around}
        failed={t('deployments.failed')}
        loading={<LoadingRows label={t('deployments.loading')} rows={3} />}
      >
        {deployments => {
          const all = [...deployments.during, ...deployments.before];
          const cause = all.find(({ id }) => id === incident.deployment?.id);
          return (
            <>
              <IncidentActions
                incident={incident}
                suspect={cause ?? deployments.before[0]}
              />
              <IncidentDeployments
                incident={incident}
                deployments={deployments}
              />
            </>
          );
        }}
      </Loaded>
    </>
  );
}

/** An incident's properties in columns. */
function IncidentFacts({ incident }: { incident: IncidentDetails }) {
  const { environment, severity, startedAt, resolvedAt, source } = incident;
  const { t } = useTranslationRef(deliveryLakeTranslationRef);
  return (
    <Details
      items={[
        ...useOwnerFacts(incident),
        { label: t('deployment.environment'), value: environment },
        {
          label: t('incidents.severity'),
          value: severity ?? t('incident.noSeverity'),
        },
        {
          label: t('incidents.started'),
          value: <RelativeTime value={startedAt} />,
        },
        {
          label: t('incidents.resolved'),
          value: resolvedAt ? (
            <RelativeTime value={resolvedAt} />
          ) : (
            t('incident.notResolved')
          ),
        },
        {
          label: t('incidents.duration'),
          value: <Duration from={startedAt} to={resolvedAt} />,
        },
        { label: t('deployment.source'), value: source },
      ]}
    />
  );
}

/**
 * Links to the tool that reported an incident. While it is open, also shows the actions of all
 * plugins that may end it: on the incident, on the deployment before it, and on flags that changed
 * around its start.
 *
 * @param props.suspect - the deployment that caused it or, if unknown, the last one before it.
 */
function IncidentActions(props: {
  incident: IncidentDetails;
  suspect: DeploymentDetails | undefined;
}) {
  const { incident, suspect } = props;
  const { id, title, entityRef, url, startedAt, resolvedAt } = incident;
  const { t } = useTranslationRef(deliveryLakeTranslationRef);
  const links = useLinks();
  const isOpen = resolvedAt === null;
  const { subject, isLoading } = useDeploymentSubject(
    isOpen ? suspect : undefined,
  );
  const flags = useSuspectedFlags(
    isOpen ? (entityRef ?? undefined) : undefined,
    startedAt,
  );
  return (
    <div className={styles.actions}>
      <SourceButton url={url} />
      {isOpen && !isLoading && (
        <ActionButtons
          className={styles.actions}
          label={t('deployment.actions', { title })}
          subjects={[
            {
              kind: 'incident',
              title,
              page: links.incident(id),
              entityRef: entityRef ?? undefined,
              failed: true,
            },
            ...(subject ? [{ ...subject, failed: true }] : []),
            ...flags,
          ]}
        />
      )}
    </div>
  );
}
