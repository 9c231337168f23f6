import { setTimeout as sleep } from 'node:timers/promises';
import {
  App,
  type Authorize,
  HTTPReceiver,
  LogLevel,
  webApi,
} from '@slack/bolt';
import type { ServiceKit } from '@slipway/service-kit';
import type { FeedbackBot } from '../FeedbackBot.ts';

/**
 * Converts a message to plain text: removes mentions of the bot at either end, and replaces links
 * with their addresses, and channels and users with their names if Slack provides them.
 *
 * @see https://docs.slack.dev/messaging/formatting-message-text
 */
export function plainText(text: string, botUser: string | undefined): string {
  const mention = botUser ? `<@${botUser}>` : undefined;
  let rest = text.trim();
  if (mention && rest.startsWith(mention)) {
    rest = rest.slice(mention.length);
  } else if (mention && rest.endsWith(mention)) {
    rest = rest.slice(0, -mention.length);
  }
  return rest
    .replace(/^\s*:\s/, '')
    .replace(/<([@#!]?)([^<>|]+)(?:\|([^<>]*))?>/g, (_, sign, target, label) =>
      sign === '' ? target : `${sign === '#' ? '#' : '@'}${label || target}`,
    )
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
    .trim();
}

/** The path that Slack sends events to. */
export const SLACK_PATH = '/slack/events';

/** Timeout of Slack's responses; each request is tried twice. */
const TIMEOUT_MS = 5_000;

/** Maximum delay of a retry in seconds: Slack's own request waits for it. */
const LONGEST_WAIT_SECONDS = 5;

/**
 * Subtypes of messages written by people, with or without files; all others are edits, joins and
 * the like.
 */
const WRITTEN = new Set([
  undefined,
  'file_share',
  'me_message',
  'thread_broadcast',
]);

/** The fields of `app_mention` and `message` events that are used here. */
interface SlackEvent {
  user?: string;
  text?: string;
  ts: string;
  thread_ts?: string;
  channel: string;
  channel_type?: string;
  bot_id?: string;
  subtype?: string;
}

/** An answer in a thread. */
interface SlackMessage {
  channel: string;
  text: string;
  thread_ts: string;
}

/**
 * The bot in Slack, using the Events API. Bolt verifies signatures and implements the protocol.
 * Events are acknowledged only once their feedback is stored, so that Slack resends them if the
 * process dies.
 */
export class SlackBot {
  /** Handles Slack's requests; their bodies must not have been read. */
  readonly receiver: HTTPReceiver;
  readonly #bot: Pick<FeedbackBot, 'handle'>;
  readonly #app: App;

  /** @param options.timeoutMs - timeout of Slack's responses; 5 seconds by default. */
  constructor(options: {
    bot: Pick<FeedbackBot, 'handle'>;
    token: string;
    signingSecret: string;
    apiUrl?: string;
    logger: ServiceKit['logger'];
    timeoutMs?: number;
  }) {
    const { token, signingSecret, apiUrl, logger } = options;
    this.#bot = options.bot;
    this.receiver = new HTTPReceiver({
      signingSecret,
      endpoints: SLACK_PATH,
      processBeforeResponse: true,
      logLevel: LogLevel.ERROR,
    });
    this.#app = new App({
      authorize: botIdentity(token, () => this.#app.client),
      receiver: this.receiver,
      processBeforeResponse: true,
      logLevel: LogLevel.ERROR,
      clientOptions: {
        // By default, the client retries for half an hour, and Slack's request would wait that
        // long.
        timeout: options.timeoutMs ?? TIMEOUT_MS,
        retryConfig: { retries: 1 },
        rejectRateLimitedCalls: true,
        ...(apiUrl && { slackApiUrl: apiUrl }),
      },
    });
    this.#app.event('app_mention', async ({ event, body, client, context }) =>
      this.#take(event as SlackEvent, {
        eventId: body.event_id,
        team: body.team_id,
        botUser: context.botUserId,
        post: message => postMessage(client, message),
      }),
    );
    this.#app.event('message', async ({ event, body, client, context }) => {
      // In channels, a mention arrives as a separate event.
      if (event.channel_type === 'im') {
        await this.#take(event as SlackEvent, {
          eventId: body.event_id,
          team: body.team_id,
          botUser: context.botUserId,
          post: message => postMessage(client, message),
        });
      }
    });
    this.#app.error(async error => {
      logger.warn({ err: error }, 'A Slack message was not answered');
      // Not acknowledged, so that Slack resends it.
      throw error;
    });
  }

  async #take(
    event: SlackEvent,
    context: {
      eventId: string;
      team: string;
      botUser: string | undefined;
      post(message: SlackMessage): Promise<unknown>;
    },
  ): Promise<void> {
    const { user, text = '', ts, channel } = event;
    if (!user || event.bot_id !== undefined || !WRITTEN.has(event.subtype)) {
      return;
    }
    const { team, botUser, post } = context;
    await this.#bot.handle(
      {
        platform: 'slack',
        key: `${team}:${context.eventId}`,
        text: plainText(text, botUser),
        author: `slack:${team}:${user}`,
        authorName: null,
      },
      async reply => {
        const thread_ts = event.thread_ts ?? ts;
        await post({ channel, text: reply, thread_ts });
      },
    );
  }
}

/**
 * Returns the bot's identity to Bolt. Requests it from Slack on the first event, and again on the
 * next one after a failure. By default, Bolt requests it at startup, and the process exits if Slack
 * is down.
 */
function botIdentity(token: string, client: () => App['client']) {
  let known: { botUserId?: string; botId?: string } | undefined;
  const authorize: Authorize<boolean> = async () => {
    if (!known) {
      const { user_id, bot_id } = await client().auth.test({ token });
      known = { botUserId: user_id, botId: bot_id };
    }
    return { botToken: token, ...known };
  };
  return authorize;
}

/**
 * Posts a message. If Slack rate limits it, waits once for as long as Slack requires, unless that
 * is too long: Slack resends unacknowledged events.
 *
 * @throws Error if Slack did not accept it. If there was no response, it may have been posted.
 */
async function postMessage(
  client: App['client'],
  message: SlackMessage,
): Promise<void> {
  try {
    await client.chat.postMessage(message);
  } catch (error) {
    const wait =
      error instanceof webApi.WebAPIRateLimitedError
        ? error.retryAfter
        : Infinity;
    if (wait > LONGEST_WAIT_SECONDS) {
      throw error;
    }
    await sleep(wait * 1_000);
    await client.chat.postMessage(message);
  }
}
