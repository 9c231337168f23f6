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
 * What somebody wrote, without Slack's markup: our mention at either end is gone, links
 * are their addresses, channels and people their names where Slack gives them.
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

/** The time that Slack may take for an answer; it is asked for it twice. */
const TIMEOUT_MS = 5_000;

/** The longest wait for Slack, in seconds: the request that is answered cannot wait longer. */
const LONGEST_WAIT_SECONDS = 5;

/** What people write, with files or without; all else is edits, joins and the like. */
const WRITTEN = new Set([
  undefined,
  'file_share',
  'me_message',
  'thread_broadcast',
]);

/** The fields that are read of `app_mention` and `message` events. */
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
 * The bot in Slack, by the Events API. Bolt checks signatures and speaks the protocol;
 * events are acknowledged once the feedback in them is stored, so that Slack sends again
 * whatever a dying process had taken.
 */
export class SlackBot {
  /** Takes Slack's requests; their bodies must not have been read. */
  readonly receiver: HTTPReceiver;
  readonly #bot: Pick<FeedbackBot, 'handle'>;
  readonly #app: App;

  /** @param options.timeoutMs - that Slack may take for an answer; 5 seconds. */
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
        // By itself it goes on for half an hour, and Slack's request with it.
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
      // In channels the mention arrives as an event of its own.
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
      logger.warn({ err: error }, 'A message of Slack was not answered');
      // Not acknowledged, so that it comes again.
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
 * As whom Bolt speaks: asks Slack at the first event, and again at the next where it did
 * not answer. Bolt by itself asks at its start, once, and a Slack that is down then ends
 * the process.
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
 * Posts a message. Where Slack is told too much it waits once as long as Slack says,
 * unless that is long: Slack sends what was not answered again.
 *
 * @throws Error when Slack did not take it; it may be there where no answer came.
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
