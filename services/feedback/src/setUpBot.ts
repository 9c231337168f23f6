import type { FeedbackAccess } from './access.ts';
import { DatabaseBotLedger } from './bot/DatabaseBotLedger.ts';
import { FeedbackBot } from './bot/FeedbackBot.ts';
import { connectMattermost } from './bot/mattermost/connectMattermost.ts';
import { botRoutes } from './bot/routes.ts';
import { SlackBot } from './bot/slack/SlackBot.ts';
import { slackRoute } from './bot/slack/slackRoute.ts';
import type { FeedbackDesk } from './feedback/FeedbackDesk.ts';
import type { Profiles } from './people/Profiles.ts';
import type { FeedbackKit } from './setUpService.ts';
import type { Statistics } from './statistics/Statistics.ts';
import type { StatisticsStore } from './statistics/StatisticsStore.ts';

const PURGE_MS = 3_600_000;

/** The bot, on the platforms that are configured. */
export async function setUpBot(
  kit: FeedbackKit,
  parts: {
    access: FeedbackAccess;
    desk: FeedbackDesk;
    counts: StatisticsStore;
    statistics: Statistics;
    profiles: Profiles;
  },
): Promise<void> {
  const { app, config, logger, now } = kit;
  const { access, profiles } = parts;
  const ledger = new DatabaseBotLedger({ database: kit.database, now });
  const bot = new FeedbackBot({
    ...parts,
    ledger,
    categories: config.categories,
    now,
  });
  botRoutes(app, { access, bot, profiles });
  kit.every({
    name: 'Forgetting old messages',
    everyMs: PURGE_MS,
    work: () => ledger.purge(),
  });
  const { slack, mattermost } = config.bot;
  if (slack) {
    const slackBot = new SlackBot({ ...slack, bot, logger });
    await slackRoute(app, {
      anyone: access.anyone,
      slack: slackBot,
      signingSecret: slack.signingSecret,
      now,
    });
  }
  if (mattermost) {
    connectMattermost(kit, { ...mattermost, bot });
  }
}
