import { stringifyEntityRef } from '@backstage/catalog-model';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { useEntity } from '@backstage/plugin-catalog-react';
import { Flex, Link } from '@backstage/ui';
import { Panel, RelativeTime } from '@slipway/design-system';
import { DeploymentStatusBadge } from '../components/DeploymentList';
import { MetricSummary } from '../components/MetricSummary';
import { EVER, useDeployments } from '../queries';
import { useLinks } from '../routes';
import { type Scope, scopeOf, scopeQuery } from '../scope';
import { deliveryLakeTranslationRef } from '../translation';
import styles from './EntityDelivery.module.css';
import { RunningVersions } from './RunningVersions';

/** A component's card with its four metrics and its last deployment. */
export function ComponentDeliveryCard() {
  const { entity } = useEntity();
  const service = stringifyEntityRef(entity);
  return (
    <DeliveryCard scope={{ kind: 'service', name: service }}>
      <LastDeployment service={service} />
    </DeliveryCard>
  );
}

/** A group's card with its four metrics. */
export function GroupDeliveryCard() {
  const { entity } = useEntity();
  return (
    <DeliveryCard scope={{ kind: 'team', name: stringifyEntityRef(entity) }} />
  );
}

/** A system's or group's card with the running versions of its components. */
export function VersionsCard() {
  const { t } = useTranslationRef(deliveryLakeTranslationRef);
  const { entity } = useEntity();
  return (
    <Panel title={t('versions.title')} padded={false}>
      <RunningVersions scope={scopeOf(entity)} isNarrow />
    </Panel>
  );
}

function DeliveryCard(props: { scope: Scope; children?: JSX.Element }) {
  const { scope, children } = props;
  const { t } = useTranslationRef(deliveryLakeTranslationRef);
  const links = useLinks();
  return (
    <Panel
      title={t('card.title')}
      action={<Link href={links.overview({ scope })}>{t('card.all')}</Link>}
    >
      <Flex direction="column" gap="2">
        <MetricSummary query={scopeQuery(scope)} />
        {children}
      </Flex>
    </Panel>
  );
}

function LastDeployment({ service }: { service: string }) {
  const { t } = useTranslationRef(deliveryLakeTranslationRef);
  const links = useLinks();
  const { data } = useDeployments({ service, ...EVER }, { pageSize: 1 });
  const last = data?.pages[0].deployments[0];
  if (!last) {
    return null;
  }
  return (
    <div className={styles.last}>
      <span>{t('card.lastDeployment')}</span>
      <Link
        href={links.deployment(last.id, {
          scope: { kind: 'service', name: service },
        })}
      >
        {`${last.version} ${last.environment}`}
      </Link>
      <DeploymentStatusBadge status={last.status} />
      <RelativeTime value={last.endTime ?? last.startTime} />
    </div>
  );
}
