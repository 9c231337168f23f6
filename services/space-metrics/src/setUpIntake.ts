import { ActivityIntake } from './activity/ActivityIntake.ts';
import { DatabaseActivityStore } from './activity/DatabaseActivityStore.ts';
import { EventReader } from './activity/EventReader.ts';
import { activityRoutes } from './activity/routes.ts';
import { DatabaseCognitiveLoadStore } from './cognitive-load/DatabaseCognitiveLoadStore.ts';
import { cognitiveLoadRoutes } from './cognitive-load/routes.ts';
import { DatabaseFrictionStore } from './friction/DatabaseFrictionStore.ts';
import { frictionRoutes } from './friction/routes.ts';
import { TopFriction } from './friction/TopFriction.ts';
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
export function setUpIntake(foundation: Foundation): {
  activity: DatabaseActivityStore;
} {
  const { kit, database, ledger, hasher, attribution, access, releases } =
    foundation;
  const { timeZone, now, portal } = foundation;
  const { app, config } = kit;
  const activity = new DatabaseActivityStore({ database, ledger });
  const friction = new DatabaseFrictionStore({ database, ledger });

  surveyRoutes(app, {
    access: access.submit,
    attribution,
    surveys: new DatabaseSurveyStore({ database, ledger }),
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
    friction,
    top: new TopFriction({ store: friction, releases }),
    minimumGroupSize: releases.minimumGroupSize,
    timeZone,
    now,
  });
  cognitiveLoadRoutes(app, {
    access,
    attribution,
    loads: new DatabaseCognitiveLoadStore({ database, ledger }),
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
    people: new DatabasePersonStore({ database, ledger }),
  });
  return { activity };
}
