import {
  type CommonConfig,
  PortalClient,
  type ServiceKit,
} from '@slipway/service-kit';
import { accessOf } from './access.ts';
import type { FeedbackConfig } from './config.ts';
import { exposeMetrics } from './exposition/exposeMetrics.ts';
import { DatabaseFeedbackStore } from './feedback/DatabaseFeedbackStore.ts';
import { FeedbackDesk } from './feedback/FeedbackDesk.ts';
import { feedbackRoutes } from './feedback/routes.ts';
import { triageRoutes } from './feedback/triageRoutes.ts';
import { CatalogProfiles } from './people/CatalogProfiles.ts';
import { refuseForeignWrites } from './refuseForeignWrites.ts';
import { screenshotRoutes } from './screenshots/routes.ts';
import { setUpBot } from './setUpBot.ts';
import { setUpAutomation } from './setUpAutomation.ts';
import { setUpNotices } from './setUpNotices.ts';
import { DatabaseStatisticsStore } from './statistics/DatabaseStatisticsStore.ts';
import { statisticsRoutes } from './statistics/routes.ts';
import { Statistics } from './statistics/Statistics.ts';
import { webhookRoutes } from './webhooks/routes.ts';

/** What the parts of the service share. */
export type FeedbackKit = ServiceKit<FeedbackConfig & CommonConfig>;

/** Puts the service together. */
export async function setUpService(kit: FeedbackKit): Promise<void> {
  const { app, config, database, now } = kit;
  const { categories } = config;
  refuseForeignWrites(app, [
    new URL(kit.portal.appUrl).origin,
    new URL(kit.portal.baseUrl).origin,
  ]);
  const access = accessOf(kit);
  const store = new DatabaseFeedbackStore({ database });
  const counts = new DatabaseStatisticsStore({ database });
  const statistics = new Statistics({ store: counts, categories });
  const metrics = exposeMetrics(kit.metrics, statistics);
  const desk = new FeedbackDesk({ store, categories, now, metrics });
  const portal = new PortalClient({
    baseUrl: kit.portal.baseUrl,
    token: config.portalToken,
  });
  const profiles = new CatalogProfiles({ portal, now });

  statisticsRoutes(app, { access, statistics, now });
  feedbackRoutes(app, {
    access,
    desk,
    store,
    profiles,
    categories,
    bodyLimit: config.limits.body,
  });
  triageRoutes(app, { access, desk, store });
  screenshotRoutes(app, { access, desk, store });
  webhookRoutes(app, {
    access,
    webhooks: kit.webhooks,
    outbox: kit.outbox,
    configured: config.webhooks,
  });
  setUpAutomation(kit, { access, store, metrics });
  setUpNotices(kit, portal);
  await setUpBot(kit, { access, desk, counts, statistics, profiles });
}
