import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Panel, RelativeTime } from '@slipway/design-system';
import type { UnmatchedResponse } from '@slipway/plugin-delivery-lake-common';
import { deliveryLakeTranslationRef } from '../../translation';
import styles from './Unmatched.module.css';

/** Incidents that concern no service that the lake knows. */
export function OrphanIncidentsPanel(props: {
  incidents: UnmatchedResponse['incidents'];
  /** How many there are; the newest are given. */
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
