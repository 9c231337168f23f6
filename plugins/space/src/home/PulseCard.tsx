import { useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Link } from '@backstage/ui';
import { ReadFailure } from '@slipway/app-react';
import { LoadingRows, RelativeTime } from '@slipway/design-system';
import { Done } from '../components/Done';
import type { Reminder } from '../api/types';
import { useLinks } from '../data/useLinks';
import { useReminder } from '../data/useReminder';
import { OthersPulse } from '../pulse/OthersPulse';
import { PulseForm } from '../pulse/PulseForm';
import { ReminderControls } from '../pulse/ReminderControls';
import { spaceTranslationRef } from '../translation';
import styles from '../pulse/pulse.module.css';

/** Content of the home card: the two questions when they are due. */
export function PulseCard() {
  return <Pulse />;
}

function Pulse() {
  const { t } = useTranslationRef(spaceTranslationRef);
  const links = useLinks();
  const { data: reminder, error, isPending, refetch } = useReminder();
  const [isSent, setIsSent] = useState(false);
  if (isSent) {
    return (
      <div className={styles.stack}>
        <Done>{t('pulse.done')}</Done>
        <OthersPulse />
      </div>
    );
  }
  if (isPending) {
    return <LoadingRows label={t('reminder.loading')} rows={3} />;
  }
  if (error && !reminder) {
    return (
      <ReadFailure
        title={t('reminder.failed')}
        error={error}
        onRetry={() => refetch()}
      />
    );
  }
  return reminder.due ? (
    <div className={styles.stack}>
      <PulseForm isShort onSent={() => setIsSent(true)} />
      <ReminderControls reminder={reminder} />
      <Link href={links.pulse()} variant="body-small">
        {t('pulse.more')}
      </Link>
    </div>
  ) : (
    <NotDue reminder={reminder} />
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
