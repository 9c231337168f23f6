import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { useEntity } from '@backstage/plugin-catalog-react';
import { Link } from '@backstage/ui';
import { ReadFailure } from '@slipway/app-react';
import { EmptyState, Panel } from '@slipway/design-system';
import { DELIVERY_SERVICE_ANNOTATION } from '@slipway/plugin-delivery-lake-common';
import { DeploymentList } from '../components/DeploymentList';
import { IncidentList } from '../components/IncidentList';
import { MetricTiles, MetricTilesSkeleton } from '../components/MetricTiles';
import {
  EVER,
  recentDays,
  useDeployments,
  useIncidents,
  useMetrics,
  useSeries,
} from '../queries';
import { useLinks } from '../routes';
import { type Scope, scopeOf, scopeQuery } from '../scope';
import { deliveryLakeTranslationRef } from '../translation';
import styles from './EntityDelivery.module.css';
import { RunningVersions } from './RunningVersions';

/** Maximum number of rows that the tab shows; it links to the page for the others. */
const SHOWN = 10;

/**
 * The tab of a component, or of a system or group for all of its components, with metrics, deployments
 * and incidents.
 */
export function EntityDeliveryContent() {
  const { entity } = useEntity();
  return <ScopeDelivery scope={scopeOf(entity)} />;
}

function ScopeDelivery({ scope }: { scope: Scope }) {
  const { t } = useTranslationRef(deliveryLakeTranslationRef);
  const asked = scopeQuery(scope);
  const metrics = useMetrics({ ...asked, ...recentDays() });
  const series = useSeries({ ...asked, ...recentDays() }, 'week');
  const deployments = useDeployments(
    { ...asked, ...EVER },
    { pageSize: SHOWN },
  );
  const incidents = useIncidents({ ...asked, ...EVER }, { pageSize: SHOWN });
  const links = useLinks();

  if (
    deployments.data?.pages[0].total === 0 &&
    incidents.data?.pages[0].total === 0
  ) {
    return (
      <EmptyState
        title={t('card.noneReported')}
        description={
          scope.kind === 'service'
            ? t('card.noneReportedText', {
                annotation: DELIVERY_SERVICE_ANNOTATION,
              })
            : t('card.noneOfComponents')
        }
        action={<Link href={links.overview()}>{t('home.open')}</Link>}
      />
    );
  }
  return (
    <div className={styles.content}>
      {metrics.error && (
        <ReadFailure
          title={t('card.failed')}
          error={metrics.error}
          onRetry={() => metrics.refetch()}
        />
      )}
      {metrics.isPending && <MetricTilesSkeleton label={t('card.loading')} />}
      {metrics.data && (
        <MetricTiles metrics={metrics.data} series={series.data} />
      )}
      {scope.kind !== 'service' && (
        <Panel title={t('versions.title')} padded={false}>
          <RunningVersions scope={scope} />
        </Panel>
      )}
      <Panel
        title={t('card.history')}
        action={
          <Link href={links.deployments({ scope, period: '12m' })}>
            {t('card.allDeployments')}
          </Link>
        }
        padded={false}
      >
        <div className={styles.list}>
          <DeploymentList
            list={deployments}
            hrefOf={deployment => links.deployment(deployment.id, { scope })}
          />
        </div>
      </Panel>
      <Panel
        title={t('card.incidents')}
        action={
          <Link href={links.incidents({ scope, period: '12m' })}>
            {t('card.allIncidents')}
          </Link>
        }
        padded={false}
      >
        <div className={styles.list}>
          {incidents.data?.pages[0].total === 0 ? (
            <p className={styles.none}>{t('card.noIncidents')}</p>
          ) : (
            <IncidentList
              list={incidents}
              hrefOf={incident => links.incident(incident.id, { scope })}
            />
          )}
        </div>
      </Panel>
    </div>
  );
}
