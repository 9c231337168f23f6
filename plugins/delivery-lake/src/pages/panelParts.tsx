import type { ReactNode } from 'react';
import {
  DEFAULT_NAMESPACE,
  parseEntityRef,
  stringifyEntityRef,
} from '@backstage/catalog-model';
import { useRouteRef, useTranslationRef } from '@backstage/frontend-plugin-api';
import { entityRouteRef } from '@backstage/plugin-catalog-react';
import { Link } from '@backstage/ui';
import { formatDuration } from '@slipway/design-system';
import type {
  DeliveredChange,
  DeploymentResponse,
} from '@slipway/plugin-delivery-lake-common';
import { CommitText } from '../components/DeploymentList';
import { EntityTitle } from '../components/EntityTitle';
import { deliveryLakeTranslationRef } from '../translation';
import styles from './recordPanel.module.css';

/** A part of a panel below its facts, with a heading. */
export function PanelSection(props: { title: string; children: ReactNode }) {
  const { title, children } = props;
  return (
    <section className={styles.section}>
      <h3>{title}</h3>
      {children}
    </section>
  );
}

/** Shows the title of an entity as a link to its page; plain text if the app has no catalog. */
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
  const title = (
    <EntityTitle
      entityRef={stringifyEntityRef({ kind, namespace, name })}
      kind={defaultKind}
    />
  );
  return href ? <Link href={href}>{title}</Link> : title;
}

/** Returns the facts about a record's owners, the same for deployments and incidents. */
export function useOwnerFacts(record: {
  service: string | null;
  entityRef: string | null;
  team: string | null;
  project: string | null;
}): { label: string; value: ReactNode }[] {
  const { service, entityRef, team, project } = record;
  const { t } = useTranslationRef(deliveryLakeTranslationRef);
  const link = (defaultKind: 'group' | 'system', ref: string | null) =>
    ref ? (
      <EntityLink entityRef={ref} defaultKind={defaultKind} />
    ) : (
      t('deployment.none')
    );
  return [
    {
      label: t('deployment.service'),
      value: entityRef ? (
        <EntityLink entityRef={entityRef} defaultKind="component" />
      ) : (
        (service ?? t('incidents.noService'))
      ),
    },
    { label: t('deployment.team'), value: link('group', team) },
    { label: t('deployment.project'), value: link('system', project) },
  ];
}

/** Lists the changes that first reached production with a deployment, each with its lead time. */
export function DeliveredChanges(
  props: Pick<DeploymentResponse, 'changes' | 'totalChanges'>,
) {
  const { changes, totalChanges } = props;
  const { t } = useTranslationRef(deliveryLakeTranslationRef);
  return (
    <>
      {changes.length === 0 && <p>{t('deployment.changesNone')}</p>}
      {changes.length > 0 && (
        <ul>
          {changes.map(change => (
            <li key={`${change.repository} ${change.sha}`}>
              <Change change={change} />
            </li>
          ))}
        </ul>
      )}
      {changes.some(({ author }) => author === null) && (
        <p>{t('deployment.authorsHidden')}</p>
      )}
      {totalChanges > changes.length && (
        <p>
          {t('deployment.changesShown', {
            shown: String(changes.length),
            total: String(totalChanges),
          })}
        </p>
      )}
    </>
  );
}

function Change({ change }: { change: DeliveredChange }) {
  const { url, author, leadTimeSeconds } = change;
  const { t } = useTranslationRef(deliveryLakeTranslationRef);
  return (
    <>
      {url ? (
        <Link href={url} target="_blank" rel="noopener">
          <CommitText commit={change} />
        </Link>
      ) : (
        <CommitText commit={change} />
      )}
      {author !== null && (
        <span>
          {author}
          {author && ' · '}
          {leadTimeSeconds === null
            ? t('deployment.noLeadTime')
            : `${t('deployment.leadTime')} ${formatDuration(leadTimeSeconds * 1000)}`}
        </span>
      )}
    </>
  );
}
