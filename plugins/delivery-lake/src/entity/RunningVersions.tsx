import { useRouteRef, useTranslationRef } from '@backstage/frontend-plugin-api';
import { entityRouteRef } from '@backstage/plugin-catalog-react';
import { parseEntityRef } from '@backstage/catalog-model';
import { Link } from '@backstage/ui';
import { QueryTable, useTitles } from '@slipway/app-react';
import {
  type DataColumn,
  formatAbsolute,
  RelativeTime,
} from '@slipway/design-system';
import {
  type DeploymentDetails,
  ENVIRONMENTS,
} from '@slipway/plugin-delivery-lake-common';
import { useRunning } from '../queries';
import { useLinks } from '../routes';
import type { Scope } from '../scope';
import { deliveryLakeTranslationRef } from '../translation';
import styles from './EntityDelivery.module.css';

/** A component with the deployment that runs in each environment. */
interface RunningComponent {
  /** The entity ref, or the name of a service without a component. */
  id: string;
  /** The title of the component, or the name of the service. */
  name: string;
  entityRef: string | null;
  runs: ReadonlyMap<string, DeploymentDetails>;
}

/**
 * A table of the running versions, with a row for each component of a scope and a column for each
 * environment that has any.
 *
 * @param props.isNarrow - true for a card, which has no room for times.
 */
export function RunningVersions(props: { scope: Scope; isNarrow?: boolean }) {
  const { scope, isNarrow = false } = props;
  const { t } = useTranslationRef(deliveryLakeTranslationRef);
  const entityPath = useRouteRef(entityRouteRef);
  const links = useLinks();
  const query = useRunning(scope);
  const environments = [...ENVIRONMENTS]
    .reverse()
    .filter(name =>
      query.data?.deployments.some(({ environment }) => environment === name),
    );
  const titleOf = useTitles(
    (query.data?.deployments ?? []).flatMap(({ entityRef }) => entityRef ?? []),
  );
  const table = (
    <QueryTable
      label={t('versions.label')}
      query={query}
      rowsOf={({ deployments }) => byComponent(deployments, titleOf)}
      failed={t('versions.failed')}
      loading={t('versions.loading')}
      rowId={({ id }) => id}
      isPlain
      empty={<p className={styles.none}>{t('versions.none')}</p>}
      columns={[
        {
          id: 'component',
          label: t('versions.component'),
          text: ({ name }) => name,
          cell: ({ id, name, entityRef }) => {
            const href = entityRef && entityPath?.(parseEntityRef(entityRef));
            return href ? (
              <Link href={href} title={id}>
                {name}
              </Link>
            ) : (
              name
            );
          },
        },
        ...environments.map((environment): DataColumn<RunningComponent> => ({
          id: environment,
          label: environment,
          width: isNarrow ? 76 : '22%',
          cell: ({ runs }) => {
            const deployment = runs.get(environment);
            return (
              deployment && (
                <Version
                  deployment={deployment}
                  href={links.deployment(deployment.id, { scope })}
                  isNarrow={isNarrow}
                />
              )
            );
          },
        })),
      ]}
    />
  );
  return (
    <>
      {table}
      {query.data?.truncated && (
        <p className={styles.none}>{t('versions.truncated')}</p>
      )}
    </>
  );
}

function Version(props: {
  deployment: DeploymentDetails;
  href: string;
  isNarrow: boolean;
}) {
  const { deployment, href, isNarrow } = props;
  const at = deployment.endTime ?? deployment.startTime;
  return (
    <span className={styles.version} title={formatAbsolute(Date.parse(at))}>
      <Link href={href}>{deployment.version}</Link>
      {!isNarrow && (
        <span className={styles.quiet}>
          <RelativeTime value={at} />
        </span>
      )}
    </span>
  );
}

/** Groups deployments by component, sorted by title. */
function byComponent(
  deployments: readonly DeploymentDetails[],
  titleOf: (entityRef: string) => string,
): RunningComponent[] {
  const components = new Map<string, Map<string, DeploymentDetails>>();
  for (const deployment of deployments) {
    const { entityRef, service, environment } = deployment;
    const id = entityRef ?? service;
    const runs = components.get(id) ?? new Map<string, DeploymentDetails>();
    components.set(id, runs.set(environment, deployment));
  }
  return [...components]
    .map(([id, runs]) => {
      const [{ entityRef, service }] = runs.values();
      const name = entityRef ? titleOf(entityRef) : service;
      return { id, name, entityRef, runs };
    })
    .sort((one, other) => one.name.localeCompare(other.name, 'en'));
}
