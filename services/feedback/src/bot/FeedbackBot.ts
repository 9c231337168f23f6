import type { Feedback, Source } from '../feedback/Feedback.ts';
import type { FeedbackDesk } from '../feedback/FeedbackDesk.ts';
import { lastThirtyDays } from '../periods/TimeSpan.ts';
import { guessCategory } from '../sentiment/sentimentOf.ts';
import type { Statistics } from '../statistics/Statistics.ts';
import type { BotLedger } from '../storage/BotLedger.ts';
import type { StatisticsStore } from '../storage/StatisticsStore.ts';
import { type Input, readInput } from './readInput.ts';
import {
  helpText,
  receiptText,
  statusText,
  tooLongText,
} from './replyTexts.ts';

/** A message to the bot: a mention in a channel, or a direct message. */
export interface ChatMessage {
  readonly platform: Exclude<Source, 'api'>;
  /**
   * Identifies the message within the platform, so that a repeated delivery is recognized. A
   * message without a key always counts as new and is not remembered.
   */
  readonly key?: string;
  /** The text without the mention and the platform's markup. */
  readonly text: string;
  /** The author: an entity reference, or `<platform>:<team>:<user>`. */
  readonly author: string;
  readonly authorName: string | null;
}

/** Posts an answer in the thread of the message. */
export type Reply = (text: string) => Promise<void>;

/** Dependencies of {@link FeedbackBot}. */
interface FeedbackBotOptions {
  desk: FeedbackDesk;
  statistics: Statistics;
  counts: StatisticsStore;
  ledger: BotLedger;
  categories: readonly string[];
  now: () => number;
}

/** Answers messages to the bot from any platform. */
export class FeedbackBot {
  readonly #options: FeedbackBotOptions;

  constructor(options: FeedbackBotOptions) {
    this.#options = options;
  }

  /**
   * Answers a message once, however often it is delivered. Feedback is stored before it is
   * answered, and only once, so a message claimed by a process that died may remain without an
   * answer. An answer that fails is retried when the message is delivered again.
   *
   * @returns whether this call answered it.
   */
  async handle(message: ChatMessage, reply: Reply): Promise<boolean> {
    const { author, platform } = message;
    const key =
      message.key === undefined ? undefined : `${platform}:${message.key}`;
    const input = readInput(message.text);
    const receipt =
      input.kind === 'feedback'
        ? receiptText(await this.#store(input.message, { message, key }))
        : undefined;
    const answer = async () =>
      reply(receipt ?? (await this.#answer(input, author)));
    if (key === undefined) {
      await answer();
      return true;
    }
    if (!(await this.#options.ledger.claim(key))) {
      return false;
    }
    try {
      await answer();
    } catch (error) {
      await this.#options.ledger.release(key);
      throw error;
    }
    await this.#options.ledger.complete(key);
    return true;
  }

  #store(
    text: string,
    from: { message: ChatMessage; key: string | undefined },
  ): Promise<Feedback> {
    const { platform, author, authorName } = from.message;
    return this.#options.desk.submit({
      message: text,
      category: guessCategory(text, this.#options.categories),
      source: platform,
      sourceKey: from.key,
      sender: { author, name: authorName, email: null, anonymous: false },
    });
  }

  async #answer(input: Input, author: string): Promise<string> {
    switch (input.kind) {
      case 'status':
        return this.#status(author);
      case 'tooLong':
        return tooLongText(input.length);
      default:
        return helpText();
    }
  }

  async #status(author: string): Promise<string> {
    const now = this.#options.now();
    const span = lastThirtyDays(now);
    const [statistics, own] = await Promise.all([
      this.#options.statistics.of(span),
      this.#options.counts.ofAuthor(author, span),
    ]);
    return statusText({ statistics, own }, now);
  }
}
