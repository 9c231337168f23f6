import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { CodeLine, Details, Panel, RelativeTime } from '@slipway/design-system';
import {
  DELIVERY_SERVICE_ANNOTATION,
  type UnmatchedService,
} from '@slipway/plugin-delivery-lake-common';
import { deliveryLakeTranslationRef } from '../../translation';
import styles from './Unmatched.module.css';

/** What makes a component claim a service, as it stands in its catalog-info.yaml. */
function annotationFor(service: string): string {
  return [
    'metadata:',
    '  annotations:',
    // Quoted as JSON: every JSON text is YAML, whatever the name holds.
    `    ${DELIVERY_SERVICE_ANNOTATION}: ${JSON.stringify(service)}`,
  ].join('\n');
}

/** Reported services that no component claims, each with the lines that would. */
export function UnmatchedServicesPanel(props: {
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
