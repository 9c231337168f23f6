import type { FastifyReply, FastifyRequest } from 'fastify';
import type { CommonConfig } from '../config/CommonConfig.ts';
import { addressBudget } from './addressBudget.ts';
import type { Budget, RateLimits } from './RateLimits.ts';

/** What addresses may do that show no valid credential. */
export class AddressBudgets {
  readonly #limits: RateLimits;
  readonly #isEnabled: boolean;
  readonly #perMinute: number;

  constructor(options: {
    limits: RateLimits;
    rateLimit: Pick<
      CommonConfig['rateLimit'],
      'enabled' | 'perMinute' | 'anonymousPerMinute'
    >;
  }) {
    const { enabled, perMinute, anonymousPerMinute } = options.rateLimit;
    this.#limits = options.limits;
    this.#isEnabled = enabled;
    this.#perMinute = anonymousPerMinute ?? perMinute;
  }

  /** What a request counts against. */
  of(request: FastifyRequest): Budget {
    return { id: addressBudget(request.ip), perMinute: this.#perMinute };
  }

  /**
   * Counts a request against its address.
   *
   * @throws RateLimitedError when its minute is used up.
   */
  async count(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    if (this.#isEnabled) {
      await this.#limits.consume(reply, { budget: this.of(request) });
    }
  }

  /**
   * Counts nothing; to be asked before a credential is looked up that is not known in
   * memory, so that guesses cost no questions to a database.
   *
   * @throws RateLimitedError when the minute of the request's address is used up.
   */
  async assertLeft(request: FastifyRequest): Promise<void> {
    if (this.#isEnabled) {
      await this.#limits.assertLeft(this.of(request));
    }
  }
}
