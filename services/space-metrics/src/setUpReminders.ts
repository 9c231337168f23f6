import { ConfigurationError } from '@slipway/service-kit';
import type { Foundation } from './setUpService.ts';
import { DatabaseReminderStore } from './surveys/DatabaseReminderStore.ts';
import { DatabaseSentReminders } from './surveys/DatabaseSentReminders.ts';
import { PulseReminders } from './surveys/PulseReminders.ts';
import { scheduleReminders } from './surveys/scheduleReminders.ts';

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
  scheduleReminders(kit, {
    everyMinutes: pulse.notifyEveryMinutes,
    reminders: new PulseReminders({
      directory: portal.directory,
      notifications: portal.notifications,
      hasher,
      reminders: new DatabaseReminderStore(database),
      sent: new DatabaseSentReminders(database),
      cadenceDays: pulse.cadenceDays,
      now: kit.now,
    }),
  });
}
