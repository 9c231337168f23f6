import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Panel, RelativeTime, StatusBadge } from '@slipway/design-system';
import type { UnmatchedResponse } from '@slipway/plugin-delivery-lake-common';
import { deliveryLakeTranslationRef } from '../../translation';
import styles from './Unmatched.module.css';

/** Webhook deliveries that could not be read or held nothing for the lake. */
export function DeliveriesPanel(props: {
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
