import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Link } from '@backstage/ui';
import { Loaded } from '@slipway/app-react';
import { LoadingRows, RelativeTime, StatusBadge } from '@slipway/design-system';
import type {
  DeploymentDetails,
  IncidentDetails,
} from '@slipway/plugin-delivery-lake-common';
import {
  DeploymentMarks,
  DeploymentStatusBadge,
} from '../components/DeploymentList';
import { ServiceTitle, useServiceTitle } from '../components/EntityTitle';
import type { DeploymentsAround } from '../around';
import { useDeployment } from '../queries';
import { useLinks } from '../routes';
import { deliveryLakeTranslationRef } from '../translation';
import { useBuildPage } from './deploymentSubject';
import { DeliveredChanges, PanelSection } from './panelParts';
import styles from './recordPanel.module.css';

/**
 * Lists the deployments before and during an incident, with the one that caused it and, once it is
 * resolved, the one that probably resolved it, with its changes.
 */
export function IncidentDeployments(props: {
  incident: IncidentDetails;
  deployments: DeploymentsAround;
}) {
  const { incident, deployments } = props;
  const { before, during } = deployments;
  const { t } = useTranslationRef(deliveryLakeTranslationRef);
  const isOpen = incident.resolvedAt === null;
  // The lake only knows that this was the last deployment while the incident was open.
  const fix = isOpen
    ? undefined
    : during.find(
        ({ id, status }) =>
          status === 'SUCCESS' && id !== incident.deployment?.id,
      );
  const row = (deployment: DeploymentDetails) => (
    <li key={deployment.id}>
      <DeploymentRow
        deployment={deployment}
        note={noteOf(deployment, incident, fix)}
      />
    </li>
  );
  return (
    <>
      <PanelSection title={t('incident.before')}>
        <Cause incident={incident} deployments={deployments} />
        {before.length === 0 ? (
          <p>{t('incident.beforeNone')}</p>
        ) : (
          <ul>{before.map(row)}</ul>
        )}
      </PanelSection>
      <PanelSection title={t(isOpen ? 'incident.since' : 'incident.during')}>
        {during.length === 0 ? (
          <p>{t('incident.duringNone')}</p>
        ) : (
          <ul>{during.map(row)}</ul>
        )}
      </PanelSection>
      {fix && <ChangesOf deployment={fix} />}
    </>
  );
}

type Note = 'cause' | 'causeGuess' | 'fix';

function noteOf(
  { id }: DeploymentDetails,
  { deployment: cause }: IncidentDetails,
  fix: DeploymentDetails | undefined,
): Note | undefined {
  if (id === cause?.id) {
    return cause.guessed ? 'causeGuess' : 'cause';
  }
  return id === fix?.id ? 'fix' : undefined;
}

/** Links to the deployment that an incident names as its cause, if it is not among those around it. */
function Cause(props: {
  incident: IncidentDetails;
  deployments: DeploymentsAround;
}) {
  const { deployment } = props.incident;
  const { before, during } = props.deployments;
  const { t } = useTranslationRef(deliveryLakeTranslationRef);
  const links = useLinks();
  if (
    !deployment ||
    [...before, ...during].some(({ id }) => id === deployment.id)
  ) {
    return null;
  }
  return (
    <p>
      {t('incident.note.cause')}{' '}
      <Link href={links.deployment(deployment.id)}>
        <ServiceTitle record={props.incident} /> {deployment.version}
      </Link>
    </p>
  );
}

const TONES = {
  cause: 'danger',
  causeGuess: 'danger',
  fix: 'success',
} as const;

/** Shows a deployment with its verdict, time and build, and its relation to the incident. */
function DeploymentRow(props: {
  deployment: DeploymentDetails;
  note: Note | undefined;
}) {
  const { deployment, note } = props;
  const { id, version, status, startTime, endTime, url } = deployment;
  const { t } = useTranslationRef(deliveryLakeTranslationRef);
  const links = useLinks();
  const build = useBuildPage()(url);
  return (
    <>
      <span className={styles.row}>
        <Link href={links.deployment(id)}>
          <ServiceTitle record={deployment} /> {version}
        </Link>
        <DeploymentStatusBadge status={status} />
        {note && (
          <StatusBadge tone={TONES[note]} label={t(`incident.note.${note}`)} />
        )}
      </span>
      {(deployment.failed || deployment.rework) && (
        <DeploymentMarks deployment={deployment} />
      )}
      <span className={styles.row}>
        <RelativeTime value={endTime ?? startTime} />
        {build && <Link href={build}>{t('deployment.build')}</Link>}
      </span>
    </>
  );
}

function ChangesOf({ deployment }: { deployment: DeploymentDetails }) {
  const { id, version } = deployment;
  const { t } = useTranslationRef(deliveryLakeTranslationRef);
  const service = useServiceTitle(deployment);
  return (
    <PanelSection
      title={t('incident.changes', { title: `${service} ${version}` })}
    >
      <Loaded
        query={useDeployment(id)}
        failed={t('deployment.failed')}
        loading={<LoadingRows label={t('deployment.loading')} rows={2} />}
      >
        {({ changes, totalChanges }) => (
          <DeliveredChanges changes={changes} totalChanges={totalChanges} />
        )}
      </Loaded>
    </PanelSection>
  );
}
