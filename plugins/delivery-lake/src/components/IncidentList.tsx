import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Link } from '@backstage/ui';
import {
  DataTable,
  Duration,
  RelativeTime,
  StatusBadge,
} from '@slipway/design-system';
import type { IncidentDetails } from '@slipway/plugin-delivery-lake-common';
import type { useIncidents } from '../queries';
import { useDeliveryLinks } from '../routes';
import { deliveryLakeTranslationRef } from '../translation';
import { RecordList } from './RecordList';
import styles from './records.module.css';

/** A list of incidents in whatever state it is. */
export function IncidentList(props: {
  list: ReturnType<typeof useIncidents>;
  /** Given while filters narrow the list. */
  onClearFilters?: () => void;
}) {
  const { list, onClearFilters } = props;
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
      <IncidentTable incidents={incidents} />
    </RecordList>
  );
}

/** Incidents, newest first. */
function IncidentTable(props: { incidents: readonly IncidentDetails[] }) {
  const { t } = useTranslationRef(deliveryLakeTranslationRef);
  return (
    <DataTable
      label={t('incidents.label')}
      rows={props.incidents}
      rowId={({ id }) => id}
      columns={[
        {
          id: 'title',
          label: t('incidents.title'),
          width: '26%',
          text: ({ title }) => title,
          cell: (incident, { isNarrow }) =>
            isNarrow ? (
              <div className={styles.stacked}>
                <Title incident={incident} />
                <span className={styles.beside}>
                  <span>{incident.service ?? t('incidents.noService')}</span>
                  <RelativeTime value={incident.startedAt} />
                  <Duration
                    from={incident.startedAt}
                    to={incident.resolvedAt}
                  />
                </span>
                <Cause incident={incident} />
              </div>
            ) : (
              <Title incident={incident} />
            ),
        },
        {
          id: 'service',
          label: t('incidents.service'),
          width: '14%',
          from: 'sm',
          cell: ({ service }) =>
            service ?? (
              <span className={styles.muted}>{t('incidents.noService')}</span>
            ),
        },
        {
          id: 'state',
          label: t('incidents.state'),
          width: 104,
          cell: ({ resolvedAt }) => (
            <StatusBadge
              tone={resolvedAt ? 'success' : 'danger'}
              label={t(resolvedAt ? 'incidents.resolved' : 'incidents.open')}
            />
          ),
        },
        {
          id: 'severity',
          label: t('incidents.severity'),
          width: 104,
          from: 'lg',
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
          cell: ({ startedAt, resolvedAt }) => (
            <Duration from={startedAt} to={resolvedAt} />
          ),
        },
        {
          id: 'cause',
          label: t('incidents.cause'),
          from: 'sm',
          cell: incident => <Cause incident={incident} />,
        },
      ]}
    />
  );
}

function Title({ incident }: { incident: IncidentDetails }) {
  return (
    <span className={styles.clipped} title={incident.title}>
      {incident.url ? (
        <Link href={incident.url} target="_blank" rel="noopener">
          {incident.title}
        </Link>
      ) : (
        incident.title
      )}
    </span>
  );
}

function Cause({ incident }: { incident: IncidentDetails }) {
  const { deployment, service } = incident;
  const { t } = useTranslationRef(deliveryLakeTranslationRef);
  const links = useDeliveryLinks();
  if (!deployment) {
    return <span className={styles.muted}>{t('incidents.noCause')}</span>;
  }
  return (
    <span className={styles.marks}>
      <Link href={links.deployment(deployment.id)}>
        {[service, deployment.version].filter(Boolean).join(' ')}
      </Link>
      {deployment.guessed && (
        <span className={styles.muted}>{t('incidents.guessed')}</span>
      )}
    </span>
  );
}
