import {
  type Administration,
  configuredToken,
  incomingWebhook,
  isoOf,
  type Token,
} from '@slipway/entity-contract';
import type { FeedbackKit } from './config.ts';

/** The name under which uses of Slack's signing secret are recorded. */
export const SLACK_EVENTS = 'slack-events';

const slackEvents = { id: SLACK_EVENTS, name: 'Slack events' };
const slackSecret = configuredToken({ ...slackEvents, kind: 'webhook-secret' });

/** Returns who may do what in the service, and the credentials that connect it to other systems. */
export async function reportFeedback({
  config,
  uses,
}: Pick<FeedbackKit, 'config' | 'uses'>): Promise<Administration> {
  const lastAt = isoOf((await uses.all()).get(SLACK_EVENTS));
  return {
    roles: [
      {
        name: 'Admins',
        groups: [...config.admins],
        may: [
          'Read and triage all feedback',
          'Reply to senders, and write internal notes',
          'Open feedback for voting, see who voted, and merge duplicates',
          'Turn feedback into issues, and change issues',
          'Import and delete feedback',
          'Register webhooks',
        ],
        key: 'feedback.admins',
      },
      {
        name: 'Every signed-in user',
        groups: [],
        may: [
          'Send feedback',
          'Vote for feedback that is open for voting',
          'Read own feedback, its replies and its issue, and answer',
        ],
      },
      {
        name: 'Everyone',
        groups: [],
        may: ['Send feedback without signing in'],
      },
      {
        name: 'API keys',
        groups: [],
        may: ['Turn validated feedback into issues', 'Talk to the bot'],
        key: 'feedback.auth.apiKeys',
      },
    ],
    tokens: [
      ...heldTokens(config),
      ...(config.bot.slack ? [{ ...slackSecret, lastUsedAt: lastAt }] : []),
    ],
    webhooks: config.bot.slack
      ? [incomingWebhook({ ...slackEvents, kind: 'Slack', lastAt })]
      : [],
  };
}

/** Lists the credentials for other systems. */
function heldTokens({ tracker, bot }: FeedbackKit['config']): Token[] {
  const { github } = tracker;
  const { slack, mattermost } = bot;
  const held = [
    github && {
      id: 'tracker-github',
      name: `GitHub issues of ${github.owner}/${github.repository}`,
    },
    slack && { id: 'slack-bot', name: 'Slack bot' },
    mattermost && {
      id: 'mattermost-bot',
      name: `Mattermost bot at ${new URL(mattermost.url).host}`,
    },
  ];
  return held.flatMap(token =>
    token ? [configuredToken({ ...token, kind: 'outgoing' })] : [],
  );
}
