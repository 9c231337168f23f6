import { setTimeout as sleep } from 'node:timers/promises';
import { Client4, WebSocketClient } from '@mattermost/client';
import { type ServiceKit, withoutSlash } from '@slipway/service-kit';
import type { FeedbackBot } from '../FeedbackBot.ts';
import { type MattermostPost, readPosted } from './readPosted.ts';

const TIMEOUT_MS = 5_000;
/** The delay before reconnecting to an unavailable server. */
const RETRY_MS = 10_000;

type Options = Parameters<Client4['getOptions']>[0];

/** Mattermost's own client with a timeout for responses. */
class MattermostClient extends Client4 {
  readonly #timeoutMs: number;

  /** @param options.timeoutMs - from the request to the end of the response. */
  constructor(options: { url: string; token: string; timeoutMs: number }) {
    super();
    this.#timeoutMs = options.timeoutMs;
    this.setUrl(options.url);
    this.setToken(options.token);
  }

  override getOptions(options: Options) {
    return super.getOptions({
      ...options,
      signal: AbortSignal.timeout(this.#timeoutMs),
    });
  }
}

/**
 * The bot in Mattermost: listens on a WebSocket, which reconnects automatically, and answers in
 * threads over REST.
 */
export class MattermostBot {
  readonly #bot: Pick<FeedbackBot, 'handle'>;
  readonly #client: MattermostClient;
  readonly #socket = new WebSocketClient();
  readonly #options: { url: string; token: string };
  readonly #logger: ServiceKit['logger'];
  readonly #working = new Set<Promise<unknown>>();

  /**
   * @param options.url - address of the server.
   * @param options.timeoutMs - timeout of responses; 5 seconds by default.
   */
  constructor(options: {
    bot: Pick<FeedbackBot, 'handle'>;
    url: string;
    token: string;
    logger: ServiceKit['logger'];
    timeoutMs?: number;
  }) {
    this.#bot = options.bot;
    this.#logger = options.logger;
    const url = withoutSlash(options.url);
    const { token, timeoutMs = TIMEOUT_MS } = options;
    this.#options = { url, token };
    this.#client = new MattermostClient({ url, token, timeoutMs });
  }

  /**
   * Determines the bot's own user, then listens. Resolves once it is listening.
   *
   * @throws Error if the server does not return the user in time.
   */
  async start(): Promise<void> {
    const { url, token } = this.#options;
    const me = await this.#client.getMe();
    this.#socket.addMessageListener(message => {
      const post = readPosted(message, { id: me.id, name: me.username });
      if (post) {
        this.#begin(post);
      }
    });
    // Without this listener, the client does not reconnect to a restarted server.
    this.#socket.addMissedMessageListener(() => {
      this.#logger.warn(
        'Mattermost was unavailable: messages posted in the meantime are lost',
      );
    });
    const connected = new Promise<void>(resolve => {
      this.#socket.addFirstConnectListener(resolve);
    });
    this.#socket.initialize(
      `${url.replace(/^http/, 'ws')}/api/v4/websocket`,
      token,
    );
    await connected;
  }

  /** Stops listening, and waits for answers in progress. */
  async stop(): Promise<void> {
    this.#socket.close();
    await Promise.allSettled(this.#working);
  }

  #begin(post: MattermostPost): void {
    const work = this.#answer(post)
      .catch((error: unknown) => {
        this.#logger.warn(
          { err: error },
          'A Mattermost message was not answered',
        );
      })
      .finally(() => this.#working.delete(work));
    this.#working.add(work);
  }

  async #answer(post: MattermostPost): Promise<void> {
    await this.#bot.handle(
      {
        platform: 'mattermost',
        key: post.id,
        text: post.text,
        author: `mattermost:${new URL(this.#options.url).host}:${post.userId}`,
        authorName: post.userName,
      },
      async reply => {
        await this.#client.createPost({
          channel_id: post.channelId,
          message: reply,
          root_id: post.threadId,
        });
      },
    );
  }
}

/** Keeps the bot connected while the service is running; retries if the server is unavailable. */
export function connectMattermost(
  kit: Pick<ServiceKit, 'logger' | 'onStart' | 'onStop'>,
  options: { bot: FeedbackBot; url: string; token: string },
): void {
  const { logger } = kit;
  const mattermost = new MattermostBot({ ...options, logger });
  const stopping = new AbortController();
  const connect = async () => {
    while (!stopping.signal.aborted) {
      try {
        await mattermost.start();
        return;
      } catch (error) {
        logger.warn({ err: error }, 'Mattermost cannot be reached');
        await sleep(RETRY_MS, undefined, { signal: stopping.signal }).catch(
          () => undefined,
        );
      }
    }
  };
  kit.onStart(() => {
    void connect();
  });
  kit.onStop(async () => {
    stopping.abort();
    await mattermost.stop();
  });
}
