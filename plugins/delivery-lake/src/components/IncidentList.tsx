import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Link } from '@backstage/ui';
import { ActionMenu } from '@slipway/app-react';
import {
  DataTable,
  Duration,
  RelativeTime,
  StatusBadge,
  useUrlColumns,
} from '@slipway/design-system';
import type { IncidentDetails } from '@slipway/plugin-delivery-lake-common';
import type { useIncidents } from '../queries';
import { useLinks } from '../routes';
import { deliveryLakeTranslationRef } from '../translation';
import { ServiceTitle } from './EntityTitle';
import { RecordList } from './RecordList';
import styles from './records.module.css';

/** Shows a list of incidents, or its loading, empty or error state. */
export function IncidentList(props: {
  list: ReturnType<typeof useIncidents>;
  hrefOf(incident: IncidentDetails): string;
  /** The incident with open details. */
  openId?: string;
  /** Set if filters are active. */
  onClearFilters?: () => void;
}) {
  const { list, hrefOf, openId, onClearFilters } = props;
  const { t } = useTranslationRef(deliveryLakeTranslationRef);
  const incidents = list.data?.pages.flatMap(page => page.incidents) ?? [];
  return (
    <RecordList
      list={list}
      texts={{
        failed: t('incidents.failed'),
        loading: t('incidents.loading'),
        emptyTitle: t('incidents.emptyTitle'),
        emptyDescription: t('incidents.emptyDescription'),
      }}
      isEmpty={incidents.length === 0}
      onClearFilters={onClearFilters}
    >
      <IncidentTable incidents={incidents} hrefOf={hrefOf} openId={openId} />
    </RecordList>
  );
}

/** A table of incidents, newest first; each row links to its details. */
function IncidentTable(props: {
  incidents: readonly IncidentDetails[];
  hrefOf(incident: IncidentDetails): string;
  /** The incident with open details. */
  openId?: string;
}) {
  const { incidents, hrefOf, openId } = props;
  const { t } = useTranslationRef(deliveryLakeTranslationRef);
  return (
    <DataTable
      label={t('incidents.label')}
      rows={incidents}
      rowId={({ id }) => id}
      selectedId={openId}
      hrefOf={hrefOf}
      columnChoice={useUrlColumns('incidentColumns')}
      columns={[
        {
          id: 'title',
          label: t('incidents.title'),
          width: '26%',
          widthBeside: '34%',
          text: ({ title }) => title,
          cell: (incident, { isNarrow }) => {
            const title = (
              <span className={styles.clipped} title={incident.title}>
                <Link href={hrefOf(incident)}>{incident.title}</Link>
              </span>
            );
            return isNarrow ? (
              <div className={styles.stacked}>
                {title}
                <span className={styles.beside}>
                  <span>
                    {incident.service === null ? (
                      t('incidents.noService')
                    ) : (
                      <ServiceTitle record={incident} />
                    )}
                  </span>
                  <RelativeTime value={incident.startedAt} />
                  <Duration
                    from={incident.startedAt}
                    to={incident.resolvedAt}
                  />
                </span>
                <Cause incident={incident} />
              </div>
            ) : (
              title
            );
          },
        },
        {
          id: 'service',
          label: t('incidents.service'),
          width: '17%',
          from: 'sm',
          cell: incident =>
            incident.service === null ? (
              <span className={styles.muted}>{t('incidents.noService')}</span>
            ) : (
              <ServiceTitle record={incident} />
            ),
        },
        {
          id: 'state',
          label: t('incidents.state'),
          width: 104,
          cell: incident => <IncidentStateBadge incident={incident} />,
        },
        {
          id: 'severity',
          label: t('incidents.severity'),
          width: 104,
          from: 'lg',
          beside: false,
          cell: ({ severity }) => severity,
        },
        {
          id: 'started',
          label: t('incidents.started'),
          width: 120,
          from: 'sm',
          cell: ({ startedAt }) => <RelativeTime value={startedAt} />,
        },
        {
          id: 'duration',
          label: t('incidents.duration'),
          width: 104,
          isNumber: true,
          from: 'lg',
          beside: false,
          cell: ({ startedAt, resolvedAt }) => (
            <Duration from={startedAt} to={resolvedAt} />
          ),
        },
        {
          id: 'cause',
          label: t('incidents.cause'),
          from: 'sm',
          beside: false,
          cell: incident => <Cause incident={incident} />,
        },
        {
          id: 'actions',
          label: t('incidents.actions'),
          hidesLabel: true,
          width: 56,
          isNumber: true,
          cell: incident => <Actions incident={incident} />,
        },
      ]}
    />
  );
}

/** Shows whether an incident is open as a word, shape and colour. */
export function IncidentStateBadge(props: { incident: IncidentDetails }) {
  const { resolvedAt } = props.incident;
  const { t } = useTranslationRef(deliveryLakeTranslationRef);
  return (
    <StatusBadge
      tone={resolvedAt ? 'success' : 'danger'}
      label={t(resolvedAt ? 'incidents.resolved' : 'incidents.open')}
    />
  );
}

/** Actions of all plugins for an incident, such as resolving it. */
function Actions({ incident }: { incident: IncidentDetails }) {
  const { id, title, entityRef, resolvedAt } = incident;
  const links = useLinks();
  return resolvedAt === null ? (
    <ActionMenu
      subject={{
        kind: 'incident',
        title,
        page: links.incident(id),
        entityRef: entityRef ?? undefined,
        failed: true,
      }}
    />
  ) : null;
}

function Cause({ incident }: { incident: IncidentDetails }) {
  const { deployment, service } = incident;
  const { t } = useTranslationRef(deliveryLakeTranslationRef);
  const links = useLinks();
  if (!deployment) {
    return service === null ? (
      <span className={styles.muted}>{t('incidents.noCause')}</span>
    ) : (
      <Link href={links.deployments(weekBefore(incident))}>
        {t('incidents.before')}
      </Link>
    );
  }
  return (
    <span className={styles.marks}>
      <Link href={links.deployment(deployment.id)}>
        <ServiceTitle record={incident} /> {deployment.version}
      </Link>
      {deployment.guessed && (
        <span className={styles.muted}>{t('incidents.guessed')}</span>
      )}
    </span>
  );
}

/** Links to the deployments of a service in the week before an incident, as possible causes. */
function weekBefore({ entityRef, service, startedAt }: IncidentDetails) {
  const day = (moment: number) => new Date(moment).toISOString().slice(0, 10);
  const start = Date.parse(startedAt);
  return {
    scope: { kind: 'service' as const, name: entityRef ?? service ?? '' },
    period: { startDate: day(start - 7 * 86_400_000), endDate: day(start) },
  };
}
