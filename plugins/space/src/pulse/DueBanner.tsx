import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { ButtonLink } from '@backstage/ui';
import { useLinks } from '../data/useLinks';
import { useReminder } from '../data/useReminder';
import { spaceTranslationRef } from '../translation';
import { ReminderControls } from './ReminderControls';
import styles from './pulse.module.css';

/** Asks for the pulse survey when it is due; silent otherwise, also when nobody can tell. */
export function DueBanner() {
  const { t } = useTranslationRef(spaceTranslationRef);
  const links = useLinks();
  const { data: reminder } = useReminder();
  if (!reminder?.due) {
    return null;
  }
  return (
    <section className={styles.banner} aria-label={t('reminder.title')}>
      <p>{t('reminder.dueBanner')}</p>
      <ButtonLink href={links.pulse()} size="small" variant="primary">
        {t('reminder.answer')}
      </ButtonLink>
      <ReminderControls reminder={reminder} />
    </section>
  );
}
