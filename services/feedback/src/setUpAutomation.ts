import type { FeedbackAccess } from './access.ts';
import { Automation } from './automation/Automation.ts';
import { DatabaseIntentStore } from './automation/DatabaseIntentStore.ts';
import { DatabaseTrackedFeedback } from './automation/DatabaseTrackedFeedback.ts';
import { IssueWatcher } from './automation/IssueWatcher.ts';
import { openTracker } from './automation/openTracker.ts';
import { automationRoutes } from './automation/routes.ts';
import type { FeedbackMetrics } from './exposition/exposeMetrics.ts';
import type { DatabaseFeedbackStore } from './feedback/DatabaseFeedbackStore.ts';
import { DatabaseIssueStore } from './issues/DatabaseIssueStore.ts';
import { issueRoutes } from './issues/routes.ts';
import type { FeedbackKit } from './setUpService.ts';

/** From validated feedback to an issue, and from its end back. */
export function setUpAutomation(
  kit: FeedbackKit,
  parts: {
    access: FeedbackAccess;
    store: DatabaseFeedbackStore;
    metrics: FeedbackMetrics;
  },
): void {
  const { app, config, database, now, outbox } = kit;
  const { access, store, metrics } = parts;
  const pagesUrl = kit.portal.appUrl.replace(/\/+$/, '');
  const issues = new DatabaseIssueStore({ database, now });
  const tracker = openTracker(config.tracker, {
    issues,
    publicUrl: config.publicUrl ?? `http://localhost:${config.listen.port}`,
  });
  const watcher = new IssueWatcher({
    feedback: new DatabaseTrackedFeedback({ database, feedback: store }),
    tracker,
    now,
  });
  const automation = new Automation({
    intents: new DatabaseIntentStore({
      database,
      feedback: store,
      outbox,
      now,
    }),
    tracker,
    metrics,
    pagesUrl,
    now,
  });
  automationRoutes(app, { access, automation });
  issueRoutes(app, { access, issues, watcher, pagesUrl });
  kit.every({
    name: 'Looking for closed issues',
    everyMs: config.tracker.watchSeconds * 1_000,
    work: () => watcher.look(),
  });
}
