import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { useScreenshot } from '../data/useFeedback';
import { feedbackTranslationRef } from '../translation';
import styles from './components.module.css';

/** The image that was sent along. */
export function Screenshot({ id }: { id: string }) {
  const { t } = useTranslationRef(feedbackTranslationRef);
  const { data, error } = useScreenshot(id);
  if (error) {
    return <p>{t('detail.screenshotFailed')}</p>;
  }
  return data ? (
    <img
      className={styles.screenshot}
      src={data}
      alt={t('detail.screenshot')}
    />
  ) : null;
}
