import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Cell, CellText, Link } from '@backstage/ui';
import { Duration, RelativeTime, StatusBadge } from '@slipway/design-system';
import type { IncidentDetails } from '@slipway/plugin-delivery-lake-common';
import { useDeliveryLinks } from '../../data/useDeliveryLinks';
import { deliveryLakeTranslationRef } from '../../translation';
import styles from './records.module.css';

/** Columns of the table; the first is the row's header. */
export type IncidentColumn =
  'title' | 'service' | 'state' | 'severity' | 'started' | 'duration' | 'cause';

/** One cell of the table of incidents. */
export function IncidentCell(props: {
  column: IncidentColumn;
  incident: IncidentDetails;
  isNarrow: boolean;
}) {
  const { column, incident, isNarrow } = props;
  const { t } = useTranslationRef(deliveryLakeTranslationRef);
  switch (column) {
    case 'title':
      return (
        <Cell textValue={incident.title}>
          {isNarrow ? (
            <div className={styles.stacked}>
              <Title incident={incident} />
              <span className={styles.beside}>
                <span>{incident.service ?? t('incidents.noService')}</span>
                <RelativeTime value={incident.startedAt} />
                <Duration from={incident.startedAt} to={incident.resolvedAt} />
              </span>
              <Cause incident={incident} />
            </div>
          ) : (
            <Title incident={incident} />
          )}
        </Cell>
      );
    case 'service':
      return (
        <CellText
          title={incident.service ?? t('incidents.noService')}
          color={incident.service ? 'primary' : 'secondary'}
        />
      );
    case 'state':
      return (
        <Cell textValue={incident.resolvedAt ? 'resolved' : 'open'}>
          <StatusBadge
            tone={incident.resolvedAt ? 'success' : 'danger'}
            label={t(
              incident.resolvedAt ? 'incidents.resolved' : 'incidents.open',
            )}
          />
        </Cell>
      );
    case 'severity':
      return <CellText title={incident.severity ?? ''} />;
    case 'started':
      return (
        <Cell textValue={incident.startedAt}>
          <RelativeTime value={incident.startedAt} />
        </Cell>
      );
    case 'duration':
      return (
        <Cell
          textValue={String(incident.durationSeconds)}
          className={styles.number}
        >
          <Duration from={incident.startedAt} to={incident.resolvedAt} />
        </Cell>
      );
    case 'cause':
      return (
        <Cell textValue={incident.deployment?.version ?? ''}>
          <Cause incident={incident} />
        </Cell>
      );
    default:
      return column satisfies never;
  }
}

function Title({ incident }: { incident: IncidentDetails }) {
  return incident.url ? (
    <span className={styles.clipped} title={incident.title}>
      <Link href={incident.url} target="_blank" rel="noopener">
        {incident.title}
      </Link>
    </span>
  ) : (
    <span className={styles.clipped} title={incident.title}>
      {incident.title}
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
