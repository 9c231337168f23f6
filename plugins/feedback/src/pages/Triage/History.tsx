import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { RelativeTime } from '@slipway/design-system';
import type { StatusChange } from '../../api/types';
import { feedbackTranslationRef } from '../../translation';
import styles from './Triage.module.css';

/** The changes of status with who made them and why, newest first. */
export function History({ changes }: { changes: readonly StatusChange[] }) {
  const { t } = useTranslationRef(feedbackTranslationRef);
  return (
    <section aria-label={t('detail.history')}>
      <h3>{t('detail.history')}</h3>
      {changes.length === 0 ? (
        <p className={styles.quiet}>{t('detail.noHistory')}</p>
      ) : (
        <ol className={styles.history}>
          {[...changes].reverse().map(change => (
            <li key={`${change.at} ${change.to}`}>
              <span>
                {t('detail.moved', {
                  from: t(`status.${change.from}`),
                  to: t(`status.${change.to}`),
                })}
              </span>
              <span className={styles.quiet}>
                {t('detail.by', {
                  actor: change.actor.split('/').pop() ?? change.actor,
                })}
                {' · '}
                <RelativeTime value={change.at} />
              </span>
              {change.notes && <p>{change.notes}</p>}
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}
