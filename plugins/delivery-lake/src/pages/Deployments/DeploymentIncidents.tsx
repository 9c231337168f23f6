import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Link } from '@backstage/ui';
import type { DeploymentDetails } from '@slipway/plugin-delivery-lake-common';
import { useDeliveryLinks } from '../../data/useDeliveryLinks';
import { deliveryLakeTranslationRef } from '../../translation';
import styles from './DeploymentPanel.module.css';

/** The incidents that a deployment caused, as far as is known. */
export function DeploymentIncidents(props: { deployment: DeploymentDetails }) {
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
