import type { FeedbackDesk } from '../feedback/FeedbackDesk.ts';
import { lastThirtyDays } from '../periods/TimeSpan.ts';
import { guessCategory } from '../sentiment/guessCategory.ts';
import type { Statistics } from '../statistics/Statistics.ts';
import type { StatisticsStore } from '../statistics/StatisticsStore.ts';
import type { BotLedger } from './BotLedger.ts';
import type { ChatMessage, Reply } from './ChatMessage.ts';
import { readInput } from './readInput.ts';
import {
  wordHelp,
  wordReceipt,
  wordStatus,
  wordTooLong,
} from './wordReplies.ts';

/** The bot, whatever platform it is on. */
export class FeedbackBot {
  readonly #desk: FeedbackDesk;
  readonly #statistics: Statistics;
  readonly #counts: StatisticsStore;
  readonly #ledger: BotLedger;
  readonly #categories: readonly string[];
  readonly #now: () => number;

  constructor(options: {
    desk: FeedbackDesk;
    statistics: Statistics;
    counts: StatisticsStore;
    ledger: BotLedger;
    categories: readonly string[];
    now: () => number;
  }) {
    this.#desk = options.desk;
    this.#statistics = options.statistics;
    this.#counts = options.counts;
    this.#ledger = options.ledger;
    this.#categories = options.categories;
    this.#now = options.now;
  }

  /**
   * Answers a message once, however often it comes. Feedback is stored before the
   * answer, and once; an answer that fails is tried again when the message comes again.
   *
   * @returns whether it was answered now.
   */
  async handle(message: ChatMessage, reply: Reply): Promise<boolean> {
    const key = `${message.platform}:${message.key}`;
    if (!(await this.#ledger.claim(key))) {
      return false;
    }
    try {
      await reply(await this.#answer(message, key));
    } catch (error) {
      await this.#ledger.release(key);
      throw error;
    }
    await this.#ledger.settle(key);
    return true;
  }

  async #answer(message: ChatMessage, key: string): Promise<string> {
    const input = readInput(message.text);
    switch (input.kind) {
      case 'help':
        return wordHelp();
      case 'status':
        return this.#status(message.author);
      case 'tooLong':
        return wordTooLong(input.length);
      default:
        return wordReceipt(
          await this.#desk.submit({
            message: input.message,
            category: guessCategory(input.message, this.#categories),
            source: message.platform,
            sourceKey: key,
            sender: {
              author: message.author,
              name: message.authorName,
              email: null,
              anonymous: false,
            },
          }),
        );
    }
  }

  async #status(author: string): Promise<string> {
    const now = this.#now();
    const span = lastThirtyDays(now);
    const [statistics, own] = await Promise.all([
      this.#statistics.of(span),
      this.#counts.ofAuthor(author, span),
    ]);
    return wordStatus({ statistics, own }, now);
  }
}
