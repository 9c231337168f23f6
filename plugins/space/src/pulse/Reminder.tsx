import { useEffect, useRef } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Button, ButtonLink } from '@backstage/ui';
import { Loaded, SendFailure } from '@slipway/app-react';
import {
  Details,
  LoadingRows,
  Panel,
  RelativeTime,
} from '@slipway/design-system';
import type { Reminder } from '../api/SpaceApi';
import { useChangeReminder, useReminder } from '../queries';
import { useLinks } from '../routes';
import { spaceTranslationRef } from '../translation';
import styles from './pulse.module.css';

/** Shows the date of the next survey, with the user's options. */
export function ReminderPanel() {
  const { t } = useTranslationRef(spaceTranslationRef);
  const query = useReminder();
  return (
    <Panel title={t('reminder.title')}>
      <Loaded
        query={query}
        failed={t('reminder.failed')}
        loading={<LoadingRows label={t('reminder.loading')} rows={2} />}
      >
        {reminder => (
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
                ...(reminder.closesAt
                  ? [
                      {
                        label: t('reminder.closes'),
                        value: <RelativeTime value={reminder.closesAt} />,
                      },
                    ]
                  : []),
              ]}
            />
            <ReminderControls reminder={reminder} />
          </div>
        )}
      </Loaded>
    </Panel>
  );
}

/**
 * Asks the user to answer the pulse survey if it is due; renders nothing otherwise or if that is
 * unknown.
 */
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

const DAY_MS = 86_400_000;

function inDays(days: number): string {
  return new Date(Date.now() + days * DAY_MS).toISOString();
}

/** Buttons to snooze, stop or restart the reminder. */
export function ReminderControls({ reminder }: { reminder: Reminder }) {
  const { t } = useTranslationRef(spaceTranslationRef);
  const { mutate, error, isPending } = useChangeReminder();
  const actions = useRef<HTMLDivElement>(null);
  const isPressed = useRef(false);
  useEffect(() => {
    // The pressed button is replaced by its counterpart, which must get the focus.
    if (isPressed.current && document.activeElement === document.body) {
      actions.current?.querySelector('button')?.focus();
    }
  }, [reminder]);
  const action = (label: string, change: Parameters<typeof mutate>[0]) => (
    <Button
      key={label}
      size="small"
      variant="tertiary"
      // Not `disabled`, which would lose the focus.
      aria-disabled={isPending}
      onPress={() => {
        if (!isPending) {
          isPressed.current = true;
          mutate(change);
        }
      }}
    >
      {label}
    </Button>
  );
  return (
    <>
      {error && <SendFailure title={t('reminder.notChanged')} error={error} />}
      <div className={styles.actions} ref={actions}>
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

/** Returns whether a snooze still delays the survey. */
function isSnoozed({ snoozedUntil, due }: Reminder): boolean {
  return !due && snoozedUntil !== null && Date.parse(snoozedUntil) > Date.now();
}
