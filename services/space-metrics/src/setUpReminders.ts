import { ConfigurationError } from '@slipway/service-kit';
import type { Foundation } from './setUpService.ts';
import { DatabaseReminderStore } from './surveys/DatabaseReminderStore.ts';
import { DatabaseSentReminders } from './surveys/DatabaseSentReminders.ts';
import { PulseReminders } from './surveys/PulseReminders.ts';

const MINUTE_MS = 60_000;

/** Reminders of the pulse survey, unless they are switched off or there is no token. */
export function setUpReminders({ kit, hasher, portal }: Foundation): void {
  const { portalToken, pulse } = kit.config;
  const hasToken = portalToken !== undefined;
  if (pulse.notify && !hasToken) {
    throw new ConfigurationError([
      'spaceMetrics.pulse.notify needs spaceMetrics.portalToken',
    ]);
  }
  if (!(pulse.notify ?? hasToken)) {
    return;
  }
  // Not the observed database: who was reminded changes no numbers.
  const { database } = kit;
  const reminders = new PulseReminders({
    directory: portal.directory,
    notifications: portal.notifications,
    hasher,
    reminders: new DatabaseReminderStore(database),
    sent: new DatabaseSentReminders(database),
    cadenceDays: pulse.cadenceDays,
    now: kit.now,
  });
  kit.every({
    name: 'Reminding of the pulse survey',
    everyMs: pulse.notifyEveryMinutes * MINUTE_MS,
    work: signal => reminders.remind(signal),
  });
}
