import { ActivityIntake } from './activity/ActivityIntake.ts';
import { EventReader } from './activity/EventReader.ts';
import { activityRoutes } from './activity/routes.ts';
import { DatabaseCognitiveLoadStore } from './cognitive-load/DatabaseCognitiveLoadStore.ts';
import { cognitiveLoadRoutes } from './cognitive-load/routes.ts';
import { frictionRoutes } from './friction/routes.ts';
import { DatabasePersonStore } from './people/DatabasePersonStore.ts';
import { peopleRoutes } from './people/routes.ts';
import type { Foundation } from './setUpService.ts';
import { DatabaseReminderStore } from './surveys/DatabaseReminderStore.ts';
import { DatabaseSurveyStore } from './surveys/DatabaseSurveyStore.ts';
import { reminderRoutes } from './surveys/reminderRoutes.ts';
import { surveyRoutes } from './surveys/routes.ts';
import { ForgeIntake } from './webhooks/ForgeIntake.ts';
import { webhookRoutes } from './webhooks/routes.ts';

/** Everything that takes something in. */
export function setUpIntake(foundation: Foundation): void {
  const { kit, database, hasher, attribution, access, shown } = foundation;
  const { timeZone, now, portal, activity, friction } = foundation;
  const { app, config } = kit;

  surveyRoutes(app, {
    access: access.submit,
    attribution,
    surveys: new DatabaseSurveyStore({
      database,
      cycleDays: config.pulse.cadenceDays,
    }),
  });
  reminderRoutes(app, {
    access: access.submit,
    hasher,
    reminders: new DatabaseReminderStore(database),
    cadenceDays: config.pulse.cadenceDays,
    now,
  });
  frictionRoutes(app, {
    access,
    attribution,
    add: log => friction.add(log),
    top: shown.friction,
    minimumGroupSize: shown.numbers.minimumGroupSize,
    timeZone,
    now,
  });
  cognitiveLoadRoutes(app, {
    access,
    attribution,
    loads: new DatabaseCognitiveLoadStore(database),
  });
  activityRoutes(app, {
    access: access.report,
    intake: new ActivityIntake(activity),
    reader: new EventReader(attribution),
  });
  const { bots, ...secrets } = config.forges;
  webhookRoutes(app, {
    access: access.anyone,
    secrets,
    intake: new ForgeIntake({
      store: activity,
      directory: portal.directory,
      hasher,
      bots,
      timeZone,
      now,
    }),
  });
  peopleRoutes(app, {
    access: access.submit,
    hasher,
    people: new DatabasePersonStore(database),
  });
}
