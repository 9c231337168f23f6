import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { ReadFailure } from '@slipway/app-react';
import {
  Details,
  LoadingRows,
  Panel,
  RelativeTime,
} from '@slipway/design-system';
import { useReminder } from '../data/useReminder';
import { spaceTranslationRef } from '../translation';
import { ReminderControls, isSnoozed } from './ReminderControls';
import styles from './pulse.module.css';

/** When the portal asks next, and the reader's say in it. */
export function ReminderPanel() {
  const { t } = useTranslationRef(spaceTranslationRef);
  const { data: reminder, error, isPending, refetch } = useReminder();
  return (
    <Panel title={t('reminder.title')}>
      {isPending && <LoadingRows label={t('reminder.loading')} rows={2} />}
      {error && !reminder && (
        <ReadFailure
          title={t('reminder.failed')}
          error={error}
          onRetry={() => refetch()}
        />
      )}
      {reminder && (
        <div className={styles.stack}>
          <p className={styles.quiet}>
            {reminder.optedOut
              ? t('reminder.off')
              : t('reminder.cadence', { days: String(reminder.cadenceDays) })}
          </p>
          <Details
            items={[
              {
                label: t('reminder.last'),
                value: reminder.lastAnsweredAt ? (
                  <RelativeTime value={reminder.lastAnsweredAt} />
                ) : (
                  t('reminder.never')
                ),
              },
              {
                label: t(
                  isSnoozed(reminder) ? 'reminder.snoozed' : 'reminder.next',
                ),
                value:
                  reminder.due || !reminder.dueAt ? (
                    t(reminder.due ? 'reminder.now' : 'reminder.never')
                  ) : (
                    <RelativeTime value={reminder.dueAt} />
                  ),
              },
            ]}
          />
          <ReminderControls reminder={reminder} />
        </div>
      )}
    </Panel>
  );
}
