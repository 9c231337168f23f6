import {
  type Administration,
  configuredToken,
  incomingWebhook,
  type Token,
} from '@slipway/entity-contract';
import type { FeedbackKit } from './config.ts';

/** Reports who may do what, and with which credentials the service is connected to others. */
export function reportFeedback({ config }: FeedbackKit): Administration {
  return {
    roles: [
      {
        name: 'Admins',
        groups: [...config.admins],
        may: [
          'Read and triage all feedback',
          'Turn feedback into issues, and change issues',
          'Import and delete feedback',
          'Register webhooks',
        ],
        key: 'feedback.admins',
      },
      {
        name: 'Every signed-in user',
        groups: [],
        may: ['Send feedback', 'Read own feedback and its issue'],
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
    tokens: tokensOf(config),
    webhooks: config.bot.slack
      ? [incomingWebhook({ id: 'slack', name: 'Slack events', kind: 'Slack' })]
      : [],
  };
}

function tokensOf({ tracker, bot }: FeedbackKit['config']): Token[] {
  const { slack, mattermost } = bot;
  const held: (Pick<Token, 'id' | 'name' | 'kind'> | false | undefined)[] = [
    tracker.github && {
      id: 'tracker-github',
      name: `GitHub issues of ${tracker.github.owner}/${tracker.github.repository}`,
      kind: 'outgoing',
    },
    slack && { id: 'slack-bot', name: 'Slack bot', kind: 'outgoing' },
    slack && {
      id: 'slack-signing',
      name: 'Slack events',
      kind: 'webhook-secret',
    },
    mattermost && {
      id: 'mattermost-bot',
      name: `Mattermost bot at ${new URL(mattermost.url).host}`,
      kind: 'outgoing',
    },
  ];
  return held.flatMap(token => (token ? [configuredToken(token)] : []));
}
