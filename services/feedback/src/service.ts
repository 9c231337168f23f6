import {
  administrationRoute,
  ConfigurationError,
  createScopeReader,
  defineService,
  entityRoutes,
  groupBErrors,
  PortalClient,
  readManifest,
  webhookAdminRoutes,
  auditAdministration,
} from '@slipway/service-kit';
import { reportFeedback, SLACK_EVENTS } from './administration.ts';
import {
  accessOf,
  type FeedbackAccess,
  refuseForeignWrites,
} from './access.ts';
import { Automation } from './automation/Automation.ts';
import { EmbeddedTracker, type Tracker } from './automation/Tracker.ts';
import { GitHubTracker } from './automation/GitHubTracker.ts';
import { IssueWatcher } from './automation/IssueWatcher.ts';
import { automationRoutes } from './automation/routes.ts';
import { FeedbackBot } from './bot/FeedbackBot.ts';
import { connectMattermost } from './bot/mattermost/MattermostBot.ts';
import { botRoutes } from './bot/routes.ts';
import { SlackBot } from './bot/slack/SlackBot.ts';
import { slackRoute } from './bot/slack/slackRoute.ts';
import { feedbackConfig, type FeedbackKit } from './config.ts';
import { feedbackPart } from './entities/feedbackPart.ts';
import { FeedbackDesk } from './feedback/FeedbackDesk.ts';
import { feedbackRoutes } from './feedback/routes.ts';
import { triageRoutes } from './feedback/triageRoutes.ts';
import { importRoutes } from './imports/routes.ts';
import { IssueOpener } from './issues/IssueOpener.ts';
import { issueRoutes } from './issues/routes.ts';
import { exposeMetrics, type FeedbackMetrics } from './metrics.ts';
import { notifyPeople } from './notices/notifyPeople.ts';
import { Profiles } from './people/profiles.ts';
import { REPLY_ADDED, ReplyDesk } from './replies/ReplyDesk.ts';
import { replyRoutes } from './replies/routes.ts';
import { screenshotRoutes } from './screenshots/routes.ts';
import { statisticsRoutes } from './statistics/routes.ts';
import { Statistics } from './statistics/Statistics.ts';
import { BotLedger } from './storage/BotLedger.ts';
import { ComponentFeedback } from './storage/ComponentFeedback.ts';
import { FeedbackDeletion } from './storage/FeedbackDeletion.ts';
import { ImportedFeedback } from './storage/ImportedFeedback.ts';
import { FeedbackStore } from './storage/FeedbackStore.ts';
import { IssueStore } from './storage/IssueStore.ts';
import { ReplyStore } from './storage/ReplyStore.ts';
import { ScreenshotStore } from './storage/ScreenshotStore.ts';
import { StatisticsStore } from './storage/StatisticsStore.ts';
import { ISSUE_CREATED, TrackedFeedback } from './storage/TrackedFeedback.ts';
import { openVotes } from './votes/openVotes.ts';

const { port, ...about } = readManifest(
  new URL('../package.json', import.meta.url),
);

const PURGE_EVERY_MS = 3_600_000;
const DAY_MS = 24 * 3_600_000;

/** The feedback service, with its bot. */
export const feedbackService = defineService({
  ...about,
  configSchema: feedbackConfig,
  defaults: { port, perMinute: 50 },
  errors: groupBErrors,
  migrations: new URL('../migrations/', import.meta.url),
  health: ({ database }) => ({
    status: database === 'connected' ? 'ok' : 'degraded',
    database,
  }),
  async setUp(kit) {
    const { app, config, database, now } = kit;
    const { categories } = config;
    refuseForeignWrites(app, [
      new URL(kit.portal.appUrl).origin,
      new URL(kit.portal.baseUrl).origin,
    ]);
    const access = accessOf(kit);
    auditAdministration(kit, { access: access.admin });
    const screenshots = openScreenshots(kit);
    const store = new FeedbackStore({ database, screenshots });
    const counts = new StatisticsStore({ database });
    const statistics = new Statistics({ store: counts, categories });
    const metrics = exposeMetrics(kit.metrics, {
      statistics,
      screenshots,
    });
    const deletion = new FeedbackDeletion(database);
    const desk = new FeedbackDesk({
      store,
      deletion,
      categories,
      now,
      metrics,
    });
    const reader = {
      baseUrl: kit.portal.baseUrl,
      token: config.portalToken,
    };
    const portal = new PortalClient(reader);
    const scopeOf = createScopeReader({ portal: reader, now });
    const profiles = new Profiles({ portal, now });
    const threads = new ReplyStore({ database });
    const replies = new ReplyDesk({
      replies: threads,
      profiles,
      outbox: kit.outbox,
      now,
    });
    const bot = new FeedbackBot({
      desk,
      statistics,
      counts,
      ledger: openLedger(kit),
      categories,
      now,
    });

    statisticsRoutes(app, { access, statistics, now });
    feedbackRoutes(app, {
      access,
      desk,
      store,
      screenshots,
      replies,
      profiles,
      scopeOf,
      categories,
      bodyLimit: config.limits.body,
    });
    triageRoutes(app, { access, desk, store, scopeOf, now });
    replyRoutes(app, { access, desk, replies });
    const { votes, merges } = openVotes(kit, { access, store });
    importRoutes(app, {
      access,
      imported: new ImportedFeedback({ database, merges }),
      deletion,
      categories,
      now,
    });
    screenshotRoutes(app, { access, desk, screenshots });
    entityRoutes(app, {
      access: access.session,
      part: feedbackPart({
        feedback: new ComponentFeedback(database),
        access,
        now,
      }),
      portal: reader,
      now,
    });
    webhookAdminRoutes(app, {
      path: '/api/v1/webhooks',
      access: access.admin,
      outbox: kit.outbox,
      events: [ISSUE_CREATED, REPLY_ADDED],
      format: {
        names: 'snake_case',
        listsConfigured: true,
        showsPayload: true,
        removed: 204,
      },
    });
    administrationRoute(kit, {
      access: access.admin,
      webhooks: '/api/v1/webhooks',
      report: () => reportFeedback(kit),
    });
    automate(kit, { access, store, metrics });
    if (config.portalToken !== undefined) {
      notifyPeople(kit, { store, threads, votes, portal });
    }
    botRoutes(app, { access, bot, profiles });
    await connectChats(kit, { access, bot });
  },
});

/** Creates issues for validated feedback, and tracks them until they are closed. */
function automate(
  kit: FeedbackKit,
  parts: {
    access: FeedbackAccess;
    store: FeedbackStore;
    metrics: FeedbackMetrics;
  },
): void {
  const { app, config, database, now, outbox } = kit;
  const { access, store, metrics } = parts;
  const pagesUrl = kit.portal.appUrl;
  const issues = new IssueStore({ database, now });
  const tracker = openTracker(config, issues);
  const feedback = new TrackedFeedback({
    database,
    feedback: store,
    outbox,
    now,
  });
  const watcher = new IssueWatcher({ feedback, tracker, now });
  const automation = new Automation({
    feedback,
    tracker,
    metrics,
    pagesUrl,
    now,
  });
  automationRoutes(app, { access, automation });
  issueRoutes(app, {
    access,
    issues,
    opener: new IssueOpener({ tracker, database, now }),
    watcher,
    pagesUrl,
  });
  kit.every({
    name: 'Looking for closed issues',
    everyMs: config.tracker.watchSeconds * 1_000,
    work: () => watcher.look(),
  });
}

/**
 * Opens the configured tracker; add new kinds here.
 *
 * @throws ConfigurationError if the chosen tracker is not configured.
 */
function openTracker(
  { tracker, publicUrl, listen }: FeedbackKit['config'],
  issues: IssueStore,
): Tracker {
  if (tracker.kind === 'embedded') {
    return new EmbeddedTracker({
      issues,
      publicUrl: publicUrl ?? `http://localhost:${listen.port}`,
    });
  }
  if (!tracker.github) {
    throw new ConfigurationError([
      'feedback.tracker.github is required where feedback.tracker.kind is github',
    ]);
  }
  return new GitHubTracker(tracker.github);
}

/** Opens the ledger of the bot's messages, which deletes old entries automatically. */
function openLedger({ database, every, now }: FeedbackKit): BotLedger {
  const ledger = new BotLedger({ database, now });
  every({
    name: 'Deleting old messages',
    everyMs: PURGE_EVERY_MS,
    work: () => ledger.purge(),
  });
  return ledger;
}

/** Creates the store of screenshots, and if configured, schedules deleting those of closed feedback. */
function openScreenshots({
  config,
  database,
  every,
  now,
}: FeedbackKit): ScreenshotStore {
  const { quotaBytes, keepClosedDays } = config.screenshots;
  const screenshots = new ScreenshotStore({ database, quotaBytes });
  if (keepClosedDays !== undefined) {
    every({
      name: 'Deleting screenshots of closed feedback',
      everyMs: PURGE_EVERY_MS,
      work: () => screenshots.deleteClosed(now() - keepClosedDays * DAY_MS),
    });
  }
  return screenshots;
}

/** Connects the bot to the configured chats. */
async function connectChats(
  kit: FeedbackKit,
  { access, bot }: { access: FeedbackAccess; bot: FeedbackBot },
): Promise<void> {
  const { app, logger, now } = kit;
  const { slack, mattermost } = kit.config.bot;
  if (slack) {
    await slackRoute(app, {
      anyone: access.anyone,
      slack: new SlackBot({ ...slack, bot, logger }),
      signingSecret: slack.signingSecret,
      onUse: () => kit.uses.note(SLACK_EVENTS),
      now,
    });
  }
  if (mattermost) {
    connectMattermost(kit, { ...mattermost, bot });
  }
}
