import { Client4, WebSocketClient } from '@mattermost/client';
import type { ServiceKit } from '@slipway/service-kit';
import type { FeedbackBot } from '../FeedbackBot.ts';
import { type MattermostPost, readPosted } from './readPosted.ts';

/**
 * The bot in Mattermost: hears by its WebSocket, which reconnects by itself, and
 * answers in threads over REST.
 */
export class MattermostBot {
  readonly #bot: FeedbackBot;
  readonly #client = new Client4();
  readonly #socket = new WebSocketClient();
  readonly #options: { url: string; token: string };
  readonly #logger: ServiceKit['logger'];
  readonly #working = new Set<Promise<unknown>>();

  /** @param options.url - of the server. */
  constructor(options: {
    bot: FeedbackBot;
    url: string;
    token: string;
    logger: ServiceKit['logger'];
  }) {
    this.#bot = options.bot;
    this.#logger = options.logger;
    const url = options.url.replace(/\/+$/, '');
    this.#options = { url, token: options.token };
    this.#client.setUrl(url);
    this.#client.setToken(options.token);
  }

  /** Learns who it is, then listens. Resolves once it is listening. */
  async start(): Promise<void> {
    const { url, token } = this.#options;
    const me = await this.#client.getMe();
    this.#socket.addMessageListener(message => {
      const post = readPosted(message, { id: me.id, name: me.username });
      if (post) {
        this.#begin(post);
      }
    });
    // Without a listener the client does not take up a server that restarted.
    this.#socket.addMissedMessageListener(() => {
      this.#logger.warn(
        'Mattermost was away: what was posted then is not heard',
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

  /** Listens no more; finishes what it is answering. */
  async stop(): Promise<void> {
    this.#socket.close();
    await Promise.allSettled(this.#working);
  }

  #begin(post: MattermostPost): void {
    const work = this.#answer(post)
      .catch((error: unknown) => {
        this.#logger.warn(
          { err: error },
          'A message of Mattermost was not answered',
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
