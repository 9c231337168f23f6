import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Link } from '@backstage/ui';
import { formatDuration } from '@slipway/design-system';
import type { DeliveredChange } from '@slipway/plugin-delivery-lake-common';
import { CommitText } from '../../components/records/CommitText';
import { deliveryLakeTranslationRef } from '../../translation';
import styles from './DeploymentPanel.module.css';

/** The changes that a deployment brought to production first, each with its lead time. */
export function DeliveredChanges(props: {
  changes: readonly DeliveredChange[];
  total: number;
}) {
  const { changes, total } = props;
  const { t } = useTranslationRef(deliveryLakeTranslationRef);
  return (
    <section className={styles.section}>
      <h3>{t('deployment.changes')}</h3>
      {changes.length === 0 && <p>{t('deployment.changesNone')}</p>}
      {changes.length > 0 && (
        <ul>
          {changes.map(change => (
            <li key={`${change.repository} ${change.sha}`}>
              {change.url ? (
                <Link href={change.url} target="_blank" rel="noopener">
                  <CommitText commit={change} />
                </Link>
              ) : (
                <CommitText commit={change} />
              )}
              {change.author !== null && (
                <span>
                  {change.author}
                  {change.author && ' · '}
                  {change.leadTimeSeconds === null
                    ? t('deployment.noLeadTime')
                    : `${t('deployment.leadTime')} ${formatDuration(
                        change.leadTimeSeconds * 1000,
                      )}`}
                </span>
              )}
            </li>
          ))}
        </ul>
      )}
      {changes.some(({ author }) => author === null) && (
        <p>{t('deployment.authorsHidden')}</p>
      )}
      {total > changes.length && (
        <p>
          {t('deployment.changesShown', {
            shown: String(changes.length),
            total: String(total),
          })}
        </p>
      )}
    </section>
  );
}
