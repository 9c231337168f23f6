import { type ApiToken, hashToken } from './ApiToken.ts';
import type { TokenStore } from './TokenStore.ts';

/**
 * Tokens in memory, by hash: a request costs no question to the database, and clients
 * go on while that one is gone. A token that is not here is to be looked up, as it may
 * have been made by another replica a moment ago, and clients stop for good at a 401.
 */
export class TokenRegistry {
  readonly #store: TokenStore;
  readonly #configured: ReadonlyMap<string, ApiToken>;
  #stored: ReadonlyMap<string, ApiToken> = new Map();

  /** @param options.configured - those of the configuration, beside the stored ones. */
  constructor(options: { store: TokenStore; configured: readonly ApiToken[] }) {
    this.#store = options.store;
    this.#configured = byHash(options.configured);
  }

  /** Reads all of them anew: what was deleted opens nothing any more. */
  async reload(): Promise<void> {
    this.#stored = byHash(await this.#store.list());
  }

  /** Finds a token in memory. */
  find(text: string): ApiToken | undefined {
    const hash = hashToken(text);
    return this.#configured.get(hash) ?? this.#stored.get(hash);
  }

  /**
   * Finds a token that is not in memory.
   *
   * @throws Error when the database is gone.
   */
  lookUp(text: string): Promise<ApiToken | undefined> {
    return this.#store.find(hashToken(text));
  }
}

function byHash(tokens: readonly ApiToken[]): Map<string, ApiToken> {
  return new Map(tokens.map(token => [token.hash, token]));
}
