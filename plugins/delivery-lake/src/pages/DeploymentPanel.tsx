import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Link } from '@backstage/ui';
import { actorName, Loaded } from '@slipway/app-react';
import {
  Details,
  EmptyState,
  formatDuration,
  LoadingRows,
  RelativeTime,
  SidePanel,
} from '@slipway/design-system';
import type {
  DeploymentDetails,
  DeploymentResponse,
} from '@slipway/plugin-delivery-lake-common';
import {
  CommitText,
  DeploymentMarks,
  DeploymentStatusBadge,
} from '../components/DeploymentList';
import { useServiceTitle } from '../components/EntityTitle';
import { useIncidentsAfter } from '../around';
import { useDeployment } from '../queries';
import { useLinks } from '../routes';
import { deliveryLakeTranslationRef } from '../translation';
import { DeploymentActions } from './DeploymentActions';
import { DeliveredChanges, PanelSection, useOwnerFacts } from './panelParts';

/** Shows a deployment's details, its changes and its incidents. */
export function DeploymentPanel(props: {
  deploymentId: string;
  onClose(): void;
}) {
  const { deploymentId, onClose } = props;
  const { t } = useTranslationRef(deliveryLakeTranslationRef);
  const query = useDeployment(deploymentId);
  const { data } = query;
  const service = useServiceTitle(data?.deployment);
  return (
    <SidePanel
      title={data ? `${service} ${data.deployment.version}` : deploymentId}
      status={data && <DeploymentStatusBadge status={data.deployment.status} />}
      onClose={onClose}
    >
      <Loaded
        query={query}
        failed={t('deployment.failed')}
        loading={<LoadingRows label={t('deployment.loading')} rows={6} />}
        missing={
          <EmptyState
            title={t('deployment.notFound')}
            description={t('deployment.notFoundAdvice')}
          />
        }
      >
        {found => <DeploymentBody data={found} />}
      </Loaded>
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
      <DeploymentActions deployment={deployment} />
      <DeploymentIncidents deployment={deployment} />
      <PanelSection title={t('deployment.changes')}>
        {deployment.status === 'FAILURE' && totalChanges === 0 ? (
          <p>{t('deployment.changesUndelivered')}</p>
        ) : (
          <DeliveredChanges changes={changes} totalChanges={totalChanges} />
        )}
      </PanelSection>
    </>
  );
}

/** A deployment's properties in columns. */
function DeploymentFacts(props: { deployment: DeploymentDetails }) {
  const { deployment } = props;
  const { t } = useTranslationRef(deliveryLakeTranslationRef);
  const { endTime, duration, commit } = deployment;
  return (
    <Details
      items={[
        ...useOwnerFacts(deployment),
        { label: t('deployment.environment'), value: deployment.environment },
        {
          label: t('deployment.started'),
          value: <RelativeTime value={deployment.startTime} />,
        },
        {
          label: t('deployment.finished'),
          value: endTime ? (
            <RelativeTime value={endTime} />
          ) : (
            t('deployment.running')
          ),
        },
        {
          label: t('deployment.took'),
          value:
            duration === null
              ? t('deployment.running')
              : formatDuration(duration * 1000),
        },
        { label: t('deployment.by'), value: actorName(deployment.triggeredBy) },
        {
          label: t('deployment.commit'),
          value: <CommitText commit={commit} />,
        },
        {
          label: t('deployment.repository'),
          value: deployment.repository ?? t('deployment.none'),
        },
        { label: t('deployment.source'), value: deployment.source },
        {
          label: t('deployment.counts'),
          value: deployment.counted ? t('deployment.yes') : t('deployment.no'),
        },
        ...(deployment.failed
          ? [
              {
                label: t('deployment.recovered'),
                value: deployment.recoveredAt ? (
                  <RelativeTime value={deployment.recoveredAt} />
                ) : (
                  t('deployment.notRecovered')
                ),
              },
            ]
          : []),
      ]}
    />
  );
}

/** Lists the incidents attributed to a deployment; if there are none, those that it may have caused. */
function DeploymentIncidents(props: { deployment: DeploymentDetails }) {
  const { deployment } = props;
  const { incidents, service, entityRef } = deployment;
  const { t } = useTranslationRef(deliveryLakeTranslationRef);
  const links = useLinks();
  const isNone = incidents.length === 0;
  const after = useIncidentsAfter(isNone ? deployment : undefined);
  const scope = { kind: 'service' as const, name: entityRef ?? service };
  const list = (
    listed: readonly { id: string; title: string; guessed?: boolean }[],
  ) => (
    <ul>
      {listed.map(({ id, title, guessed }) => (
        <li key={id}>
          <Link href={links.incident(id, { scope })}>{title}</Link>
          {guessed && <span>{t('deployment.guessed')}</span>}
        </li>
      ))}
    </ul>
  );
  return (
    <PanelSection title={t('deployment.incidents')}>
      {isNone ? (
        <Loaded
          query={after}
          failed={t('deployment.incidentsFailed')}
          loading={
            <LoadingRows label={t('deployment.incidentsLoading')} rows={1} />
          }
        >
          {found =>
            found.length === 0 ? (
              <p>{t('deployment.incidentsNone')}</p>
            ) : (
              <>
                <p>{t('deployment.incidentsAfter')}</p>
                {list(found)}
              </>
            )
          }
        </Loaded>
      ) : (
        list(incidents)
      )}
    </PanelSection>
  );
}
