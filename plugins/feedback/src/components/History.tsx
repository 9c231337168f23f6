import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { actorName } from '@slipway/app-react';
import { RelativeTime } from '@slipway/design-system';
import type { Feedback } from '../api/Feedback';
import styles from '../feedback.module.css';
import { feedbackTranslationRef } from '../translation';

/**
 * The status changes, newest first, with their authors and reasons for admins. Refers to the entry
 * that the feedback was merged into by its title if that is known, otherwise by its id.
 */
export function History({ feedback }: { feedback: Feedback }) {
  const { history: changes = [], mergedInto, mergedTitle } = feedback;
  const { t } = useTranslationRef(feedbackTranslationRef);
  const named = (notes: string) =>
    mergedInto !== null && mergedTitle !== undefined
      ? notes.replaceAll(mergedInto, () => mergedTitle)
      : notes;
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
                {change.actor &&
                  `${t('detail.by', { actor: actorName(change.actor) })} · `}
                <RelativeTime value={change.at} />
              </span>
              {change.notes && <p>{named(change.notes)}</p>}
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}
