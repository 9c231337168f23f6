import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Alert } from '@backstage/ui';
import { Loaded } from '@slipway/app-react';
import {
  CodeLine,
  Details,
  EmptyState,
  LoadingRows,
  Panel,
  RelativeTime,
  StatusBadge,
} from '@slipway/design-system';
import {
  DELIVERY_SERVICE_ANNOTATION,
  trackerAnnotation,
  type UnmatchedResponse,
  type UnmatchedService,
} from '@slipway/plugin-delivery-lake-common';
import { useUnmatched } from '../queries';
import { deliveryLakeTranslationRef } from '../translation';
import styles from './UnmatchedPage.module.css';

/** Lists data that the lake received but could not match, with instructions for fixing that. */
export function UnmatchedPage() {
  const { t } = useTranslationRef(deliveryLakeTranslationRef);
  return (
    <Loaded
      query={useUnmatched()}
      failed={t('unmatched.failed')}
      loading={<LoadingRows label={t('unmatched.loading')} rows={6} />}
    >
      {unmatched => <Unmatched data={unmatched} />}
    </Loaded>
  );
}

function Unmatched({ data }: { data: UnmatchedResponse }) {
  const { t } = useTranslationRef(deliveryLakeTranslationRef);
  const { services, incidents, deliveries, deploymentsWithoutChange } = data;
  const isEmpty =
    services.length + incidents.length + deliveries.length === 0 &&
    deploymentsWithoutChange === 0;
  return (
    <>
      {isEmpty && (
        <EmptyState
          title={t('unmatched.noneTitle')}
          description={t('unmatched.noneDescription')}
        />
      )}
      {deploymentsWithoutChange > 0 && (
        <Alert
          status="info"
          icon
          title={t('unmatched.withoutChange', {
            count: deploymentsWithoutChange,
          })}
        />
      )}
      {services.length > 0 && <UnmatchedServicesPanel services={services} />}
      {incidents.length > 0 && (
        <OrphanIncidentsPanel
          incidents={incidents}
          total={data.totalIncidents}
        />
      )}
      {deliveries.length > 0 && <DeliveriesPanel deliveries={deliveries} />}
    </>
  );
}

/** Returns the annotation for catalog-info.yaml with which a component claims a service. */
function annotationFor(service: string): string {
  const { name, value } = trackerAnnotation(service) ?? {
    name: DELIVERY_SERVICE_ANNOTATION,
    value: service,
  };
  return [
    'metadata:',
    '  annotations:',
    // Quoted as JSON, because every JSON string is valid YAML, whatever characters the name
    // contains.
    `    ${name}: ${JSON.stringify(value)}`,
  ].join('\n');
}

/** Lists reported services that no component claims, each with the annotation to add. */
function UnmatchedServicesPanel(props: {
  services: readonly UnmatchedService[];
}) {
  const { t } = useTranslationRef(deliveryLakeTranslationRef);
  return (
    <Panel title={t('unmatched.services')} padded={false}>
      <p className={styles.text}>{t('unmatched.servicesText')}</p>
      <ul className={styles.list}>
        {props.services.map(service => (
          <li key={service.name} className={styles.service}>
            <div>
              <h3>{service.name}</h3>
              <Details
                items={[
                  {
                    label: t('unmatched.deployments'),
                    value: service.deployments,
                  },
                  { label: t('unmatched.incidents'), value: service.incidents },
                  {
                    label: t('unmatched.lastSeen'),
                    value: <RelativeTime value={service.lastSeenAt} />,
                  },
                  {
                    label: t('unmatched.sources'),
                    value: service.sources.join(', '),
                  },
                ]}
              />
            </div>
            <div>
              <CodeLine
                code={annotationFor(service.name)}
                label={t('unmatched.snippet', { name: service.name })}
              />
              <p className={styles.reason}>
                {t(`unmatched.${service.reason}`)}
                {service.candidates.length > 0 && '. '}
                {service.candidates.length > 0 &&
                  t('unmatched.candidates', {
                    names: service.candidates.join(', '),
                  })}
              </p>
            </div>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

/** Lists incidents without a known service. */
function OrphanIncidentsPanel(props: {
  incidents: UnmatchedResponse['incidents'];
  /** The total number; only the newest are listed. */
  total: number;
}) {
  const { incidents, total } = props;
  const { t } = useTranslationRef(deliveryLakeTranslationRef);
  return (
    <Panel title={t('unmatched.incidentsTitle')} padded={false}>
      <p className={styles.text}>
        {t('unmatched.incidentsText')}{' '}
        {total > incidents.length &&
          t('unmatched.incidentsMore', {
            shown: String(incidents.length),
            total: String(total),
          })}
      </p>
      <table
        className={styles.table}
        aria-label={t('unmatched.incidentsTitle')}
      >
        <thead>
          <tr>
            <th scope="col">{t('unmatched.incident')}</th>
            <th scope="col">{t('unmatched.began')}</th>
            <th scope="col">{t('unmatched.source')}</th>
          </tr>
        </thead>
        <tbody>
          {incidents.map(incident => (
            <tr key={incident.id}>
              <th scope="row">{incident.title}</th>
              <td className={styles.nowrap}>
                <RelativeTime value={incident.startedAt} />
              </td>
              <td>{incident.source}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Panel>
  );
}

/** Lists webhook deliveries that could not be read or contained no data for the lake. */
function DeliveriesPanel(props: {
  deliveries: UnmatchedResponse['deliveries'];
}) {
  const { t } = useTranslationRef(deliveryLakeTranslationRef);
  return (
    <Panel title={t('unmatched.deliveries')} padded={false}>
      <p className={styles.text}>{t('unmatched.deliveriesText')}</p>
      <table className={styles.table} aria-label={t('unmatched.deliveries')}>
        <thead>
          <tr>
            <th scope="col">{t('unmatched.channel')}</th>
            <th scope="col">{t('unmatched.outcome')}</th>
            <th scope="col">{t('unmatched.received')}</th>
            <th scope="col">{t('unmatched.reason')}</th>
          </tr>
        </thead>
        <tbody>
          {props.deliveries.map(delivery => (
            <tr key={delivery.id}>
              <th scope="row">
                {delivery.channel} {delivery.type}
              </th>
              <td>
                <StatusBadge
                  tone={delivery.outcome === 'rejected' ? 'danger' : 'neutral'}
                  label={t(`unmatched.${delivery.outcome}`)}
                />
              </td>
              <td className={styles.nowrap}>
                <RelativeTime value={delivery.receivedAt} />
              </td>
              <td>{delivery.reason}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Panel>
  );
}
