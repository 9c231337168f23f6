import { DEFAULT_NAMESPACE, parseEntityRef } from '@backstage/catalog-model';
import { useRouteRef, useTranslationRef } from '@backstage/frontend-plugin-api';
import { entityRouteRef } from '@backstage/plugin-catalog-react';
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
  DeliveredChange,
  DeploymentDetails,
  DeploymentResponse,
} from '@slipway/plugin-delivery-lake-common';
import {
  CommitText,
  DeploymentMarks,
  DeploymentStatusBadge,
} from '../components/DeploymentList';
import { useDeployment } from '../queries';
import { useDeliveryLinks } from '../routes';
import { deliveryLakeTranslationRef } from '../translation';
import { DeploymentActions } from './DeploymentActions';
import styles from './DeploymentPanel.module.css';

/** Shows a deployment's details, its changes and its consequences. */
export function DeploymentPanel(props: {
  deploymentId: string;
  onClose(): void;
}) {
  const { deploymentId, onClose } = props;
  const { t } = useTranslationRef(deliveryLakeTranslationRef);
  const query = useDeployment(deploymentId);
  const { data } = query;
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
  return (
    <>
      {(deployment.failed || deployment.rework) && (
        <DeploymentMarks deployment={deployment} />
      )}
      <DeploymentFacts deployment={deployment} />
      <DeploymentActions deployment={deployment} />
      <DeploymentIncidents deployment={deployment} />
      <DeliveredChanges changes={changes} total={totalChanges} />
    </>
  );
}

/** A deployment's properties in columns. */
function DeploymentFacts(props: { deployment: DeploymentDetails }) {
  const { deployment } = props;
  const { t } = useTranslationRef(deliveryLakeTranslationRef);
  const { entityRef, team, project, endTime, duration, commit } = deployment;
  const link = (
    defaultKind: 'component' | 'group' | 'system',
    ref: string | null,
  ) =>
    ref ? (
      <EntityLink entityRef={ref} defaultKind={defaultKind} />
    ) : (
      t('deployment.none')
    );
  return (
    <Details
      items={[
        {
          label: t('deployment.service'),
          value: entityRef ? link('component', entityRef) : deployment.service,
        },
        { label: t('deployment.team'), value: link('group', team) },
        { label: t('deployment.project'), value: link('system', project) },
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

/** Shows the name of an entity as a link to its page; plain text if the app has no catalog. */
function EntityLink(props: {
  /** An entity ref, or only the name of an entity in the default namespace. */
  entityRef: string;
  /** The kind if the ref has none. */
  defaultKind: 'component' | 'group' | 'system';
}) {
  const { entityRef, defaultKind } = props;
  const entityPath = useRouteRef(entityRouteRef);
  const { kind, namespace, name } = parseEntityRef(entityRef, {
    defaultKind,
    defaultNamespace: DEFAULT_NAMESPACE,
  });
  const href = entityPath?.({ kind, namespace, name });
  return href ? <Link href={href}>{name}</Link> : <>{name}</>;
}

/** Lists the incidents attributed to a deployment. */
function DeploymentIncidents(props: { deployment: DeploymentDetails }) {
  const { incidents, service, entityRef } = props.deployment;
  const { t } = useTranslationRef(deliveryLakeTranslationRef);
  const links = useDeliveryLinks();
  const all = links.incidents({
    scope: { kind: 'service', name: entityRef ?? service },
    period: '12m',
  });
  return (
    <section className={styles.section}>
      <h3>{t('deployment.incidents')}</h3>
      {incidents.length === 0 ? (
        <p>{t('deployment.incidentsNone')}</p>
      ) : (
        <ul>
          {incidents.map(incident => (
            <li key={incident.id}>
              <Link href={all}>{incident.title}</Link>
              {incident.guessed && <span>{t('deployment.guessed')}</span>}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** Lists the changes that first reached production with a deployment, each with its lead time. */
function DeliveredChanges(props: {
  changes: readonly DeliveredChange[];
  total: number;
}) {
  const { changes, total } = props;
  const { t } = useTranslationRef(deliveryLakeTranslationRef);
  return (
    <section className={styles.section}>
      <h3>{t('deployment.changes')}</h3>
      {changes.length === 0 && <p>{t('deployment.changesNone')}</p>}
      {changes.length > 0 && (
        <ul>
          {changes.map(change => (
            <li key={`${change.repository} ${change.sha}`}>
              {change.url ? (
                <Link href={change.url} target="_blank" rel="noopener">
                  <CommitText commit={change} />
                </Link>
              ) : (
                <CommitText commit={change} />
              )}
              {change.author !== null && (
                <span>
                  {change.author}
                  {change.author && ' · '}
                  {change.leadTimeSeconds === null
                    ? t('deployment.noLeadTime')
                    : `${t('deployment.leadTime')} ${formatDuration(
                        change.leadTimeSeconds * 1000,
                      )}`}
                </span>
              )}
            </li>
          ))}
        </ul>
      )}
      {changes.some(({ author }) => author === null) && (
        <p>{t('deployment.authorsHidden')}</p>
      )}
      {total > changes.length && (
        <p>
          {t('deployment.changesShown', {
            shown: String(changes.length),
            total: String(total),
          })}
        </p>
      )}
    </section>
  );
}
