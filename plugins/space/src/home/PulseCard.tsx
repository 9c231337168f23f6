import { useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Link } from '@backstage/ui';
import { Loaded } from '@slipway/app-react';
import { Done, LoadingRows, RelativeTime } from '@slipway/design-system';
import type { Reminder } from '../api/SpaceApi';
import { OthersPulse } from '../pulse/OthersPulse';
import { PulseForm } from '../pulse/PulseForm';
import { ReminderControls } from '../pulse/Reminder';
import { useReminder } from '../queries';
import { useLinks } from '../routes';
import { spaceTranslationRef } from '../translation';
import styles from '../pulse/pulse.module.css';

/** Content of the home card: the two questions if they are due. */
export function PulseCard() {
  const { t } = useTranslationRef(spaceTranslationRef);
  const query = useReminder();
  const [isSent, setIsSent] = useState(false);
  if (isSent) {
    return (
      <div className={styles.stack}>
        <Done>{t('pulse.done')}</Done>
        <OthersPulse />
      </div>
    );
  }
  return (
    <Loaded
      query={query}
      failed={t('reminder.failed')}
      loading={<LoadingRows label={t('reminder.loading')} rows={3} />}
    >
      {reminder =>
        reminder.due ? (
          <div className={styles.stack}>
            <PulseForm isShort onSent={() => setIsSent(true)} />
            <ReminderControls reminder={reminder} />
          </div>
        ) : (
          <NotDue reminder={reminder} />
        )
      }
    </Loaded>
  );
}

function NotDue({ reminder }: { reminder: Reminder }) {
  const { t } = useTranslationRef(spaceTranslationRef);
  const links = useLinks();
  return (
    <div className={styles.stack}>
      <p className={styles.quiet}>
        {t(reminder.optedOut ? 'home.off' : 'home.quiet')}
        {reminder.dueAt && (
          <>
            {' '}
            {t('reminder.next')}: <RelativeTime value={reminder.dueAt} />.
          </>
        )}
      </p>
      <OthersPulse />
      <Link href={links.pulse()} variant="body-small">
        {t('home.settings')}
      </Link>
    </div>
  );
}
