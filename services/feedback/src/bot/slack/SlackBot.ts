import { App, HTTPReceiver, LogLevel } from '@slack/bolt';
import type { ServiceKit } from '@slipway/service-kit';
import type { FeedbackBot } from '../FeedbackBot.ts';
import { botIdentity } from './botIdentity.ts';
import { plainText } from './plainText.ts';
import { postMessage, type SlackMessage } from './postMessage.ts';

/** Where Slack sends events to. */
export const SLACK_PATH = '/slack/events';

/** That Slack may take for an answer, which it gets asked for twice. */
const TIMEOUT_MS = 5_000;

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
