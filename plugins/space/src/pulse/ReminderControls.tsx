import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Button } from '@backstage/ui';
import { SendFailure } from '@slipway/app-react';
import type { Reminder } from '../api/types';
import { useChangeReminder } from '../data/useReminder';
import { spaceTranslationRef } from '../translation';
import styles from './pulse.module.css';

const DAY_MS = 86_400_000;

function inDays(days: number): string {
  return new Date(Date.now() + days * DAY_MS).toISOString();
}

/** Later, never, or again. */
export function ReminderControls({ reminder }: { reminder: Reminder }) {
  const { t } = useTranslationRef(spaceTranslationRef);
  const { mutate, error, isPending } = useChangeReminder();
  const action = (label: string, change: Parameters<typeof mutate>[0]) => (
    <Button
      key={label}
      size="small"
      variant="tertiary"
      isDisabled={isPending}
      onPress={() => mutate(change)}
    >
      {label}
    </Button>
  );
  return (
    <>
      {error && <SendFailure title={t('reminder.notChanged')} error={error} />}
      <div className={styles.actions}>
        {reminder.optedOut &&
          action(t('reminder.optIn'), { optedOut: false, snoozedUntil: null })}
        {!reminder.optedOut && reminder.due && (
          <>
            {action(t('reminder.snoozeDay'), { snoozedUntil: inDays(1) })}
            {action(t('reminder.snoozeWeek'), { snoozedUntil: inDays(7) })}
          </>
        )}
        {!reminder.optedOut &&
          isSnoozed(reminder) &&
          action(t('reminder.unsnooze'), { snoozedUntil: null })}
        {!reminder.optedOut && action(t('reminder.optOut'), { optedOut: true })}
      </div>
    </>
  );
}

/** A snooze that still holds the survey back. */
export function isSnoozed({ snoozedUntil, due }: Reminder): boolean {
  return !due && snoozedUntil !== null && Date.parse(snoozedUntil) > Date.now();
}
