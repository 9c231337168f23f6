import {
  administrationRoute,
  ConfigurationError,
  defineService,
  entityRoutes,
  groupBErrors,
  readManifest,
  auditAdministration,
} from '@slipway/service-kit';
import { ActivityIntake, EventReader } from './activity/ActivityIntake.ts';
import { reportExperience, secretOf } from './administration.ts';
import { activityRoutes } from './activity/routes.ts';
import { cognitiveLoadRoutes } from './cognitive-load/routes.ts';
import { DatabaseCognitiveLoadStore } from './cognitive-load/storage/DatabaseCognitiveLoadStore.ts';
import { spaceMetricsConfig, type Kit } from './config.ts';
import { experiencePart } from './entities/experiencePart.ts';
import { importRoutes } from './imports/routes.ts';
import { DatabaseImportStore } from './imports/storage/DatabaseImportStore.ts';
import { frictionRoutes } from './friction/routes.ts';
import { activityDimension } from './metrics/activityDimension.ts';
import { communicationDimension } from './metrics/communicationDimension.ts';
import { efficiencyDimension } from './metrics/efficiencyDimension.ts';
import { exposeMetrics } from './metrics/exposeMetrics.ts';
import { performanceDimension } from './metrics/performanceDimension.ts';
import { metricsRoutes } from './metrics/routes.ts';
import { satisfactionDimension } from './metrics/satisfactionDimension.ts';
import { SpaceMetrics } from './metrics/SpaceMetrics.ts';
import { openParts, type Parts } from './openParts.ts';
import { personalDataRoutes } from './personal-data/routes.ts';
import { DatabasePersonStore } from './personal-data/storage/DatabasePersonStore.ts';
import { deleteOldRecords } from './personal-data/storage/recordTables.ts';
import {
  PortalNotifications,
  PulseReminders,
} from './surveys/PulseReminders.ts';
import { reminderRoutes, surveyRoutes } from './surveys/routes.ts';
import {
  DatabaseReminderStore,
  DatabaseSentReminders,
} from './surveys/storage/DatabaseReminderStore.ts';
import { DatabaseSurveyStore } from './surveys/storage/DatabaseSurveyStore.ts';
import { ForgeIntake } from './webhooks/ForgeIntake.ts';
import { webhookRoutes } from './webhooks/routes.ts';

const { port, ...about } = readManifest(
  new URL('../package.json', import.meta.url),
);

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** The number of days that the exposition covers. */
const EXPOSED_DAYS = 30;

/** The SPACE metrics service. */
export const spaceMetrics = defineService({
  ...about,
  configSchema: spaceMetricsConfig,
  defaults: { port, perMinute: 100 },
  errors: groupBErrors,
  migrations: new URL('../migrations/', import.meta.url),
  health: ({ database, version, now }) => ({
    status: database === 'connected' ? 'healthy' : 'degraded',
    version,
    database,
    timestamp: now.toISOString(),
  }),
  async setUp(kit) {
    const parts = await openParts(kit);
    const access = kit.auth.admin(kit.config.admins);
    auditAdministration(kit, { access });
    administrationRoute(kit, {
      access,
      report: () => reportExperience(kit),
    });
    takeIn(kit, parts);
    answer(kit, parts);
    remind(kit, parts);
    forget(kit, parts);
  },
});

/** Adds the routes that accept data. */
function takeIn(kit: Kit, parts: Parts): void {
  const { app, config } = kit;
  const { database, hasher, attribution, activity, friction, shown } = parts;
  const { directory, timeZone, now } = parts;
  const { cadenceDays } = config.pulse;
  const access = accessOf(kit);
  const surveys = new DatabaseSurveyStore({ database, cycleDays: cadenceDays });
  const loads = new DatabaseCognitiveLoadStore(database);
  const people = new DatabasePersonStore(database);
  surveyRoutes(app, { access: access.submit, attribution, surveys });
  reminderRoutes(app, {
    access: access.submit,
    hasher,
    reminders: new DatabaseReminderStore(database),
    cadenceDays,
    timeZone,
    now,
  });
  frictionRoutes(app, {
    access,
    attribution,
    friction,
    shown: shown.friction,
    minimumGroupSize: shown.numbers.minimumGroupSize,
    timeZone,
    now,
  });
  cognitiveLoadRoutes(app, {
    access,
    attribution,
    loads,
  });
  activityRoutes(app, {
    access: access.report,
    intake: new ActivityIntake(activity),
    reader: new EventReader(attribution),
  });
  const { bots, ...secrets } = config.forges;
  const store = activity;
  webhookRoutes(app, {
    access: access.anyone,
    secrets,
    onUse: forge => kit.uses.note(secretOf(forge)),
    intake: new ForgeIntake({ store, directory, hasher, bots, timeZone, now }),
  });
  personalDataRoutes(app, {
    access: access.submit,
    hasher,
    people,
  });
  importRoutes(app, {
    access: access.report,
    attribution,
    hasher,
    imports: new DatabaseImportStore({ database, cycleDays: cadenceDays }),
    people,
  });
}

/** Adds the routes and the exposition of the five dimensions. */
function answer(kit: Kit, parts: Parts): void {
  const { live, shown, lake, cache, timeZone, now, today } = parts;
  const { numbers } = shown;
  const metrics = new SpaceMetrics({
    numbers,
    dimensions: [
      satisfactionDimension(numbers),
      performanceDimension({ builds: live, lake }),
      activityDimension(numbers),
      communicationDimension(numbers),
      efficiencyDimension({ numbers, lake }),
    ],
  });
  entityRoutes(kit.app, {
    access: kit.auth.portalUser(),
    part: experiencePart({
      metrics,
      cache,
      hasher: parts.hasher,
      reminders: new DatabaseReminderStore(parts.database),
      cadenceDays: kit.config.pulse.cadenceDays,
      notifies: remindsOf(kit),
      today,
      now: kit.now,
    }),
    portal: { baseUrl: kit.portal.baseUrl, token: kit.config.portalToken },
    now: kit.now,
  });
  metricsRoutes(kit.app, {
    access: accessOf(kit).read,
    metrics,
    numbers,
    cache,
    timeZone,
    now,
  });
  exposeMetrics(kit.metrics, {
    metrics,
    numbers,
    period: () => ({ start: today() - EXPOSED_DAYS, end: today() + 1 }),
    everySeconds: kit.config.exposition.everySeconds,
  });
}

/** Returns whether people are reminded of due surveys. Default: true if there is a token. */
function remindsOf({ config: { portalToken, pulse } }: Kit): boolean {
  return pulse.notify ?? portalToken !== undefined;
}

/**
 * Schedules reminders of the pulse survey, unless they are disabled or there is no token.
 *
 * @throws ConfigurationError if they are enabled without a token.
 */
function remind(kit: Kit, { portal, directory, hasher }: Parts): void {
  const { portalToken, pulse } = kit.config;
  const hasToken = portalToken !== undefined;
  if (pulse.notify && !hasToken) {
    throw new ConfigurationError([
      'spaceMetrics.pulse.notify needs spaceMetrics.portalToken',
    ]);
  }
  if (!remindsOf(kit)) {
    return;
  }
  // Uses the database that does not invalidate the cache, because reminders do not change any
  // numbers.
  const { database } = kit;
  const reminders = new PulseReminders({
    directory,
    notifications: new PortalNotifications(portal),
    hasher,
    reminders: new DatabaseReminderStore(database),
    sent: new DatabaseSentReminders(database),
    cadenceDays: pulse.cadenceDays,
    now: kit.now,
  });
  kit.every({
    name: 'Sending pulse survey reminders',
    everyMs: pulse.notifyEveryMinutes * MINUTE_MS,
    work: signal => reminders.remind(signal),
  });
}

/** Schedules the deletion of data after its retention period. */
function forget(kit: Kit, { database, timeZone, now }: Parts): void {
  const days = kit.config.privacy.retentionDays;
  kit.every({
    name: 'Deleting old records',
    everyMs: DAY_MS,
    work: () => deleteOldRecords(database, { days, timeZone, now: now() }),
  });
}

function accessOf({ auth, config, isProduction }: Kit) {
  const isOpen =
    (config.auth.reads ?? (isProduction ? 'required' : 'open')) === 'open';
  return {
    submit: auth.anyOf(auth.apiKey(), auth.portalUser()),
    /** Access for other systems only: users do not report their own activity. */
    report: auth.apiKey(),
    read: auth.anyOf(
      auth.apiKey({ optional: isOpen }),
      auth.portalUser({ optional: isOpen }),
    ),
    anyone: auth.anyone,
  };
}
