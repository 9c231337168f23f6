import { type ApiToken, hashToken } from '../model/ApiToken.ts';
import type { TokenStore } from '../storage/TokenStore.ts';

type KnownTokens = Pick<TokenStore, 'list' | 'find' | 'findAll' | 'noteUses'>;

/**
 * Caches tokens in memory, by hash: requests need no query, and clients continue while the
 * database is down. Unknown tokens are looked up, as another replica may have just created
 * them, and SDKs stop permanently after a 401.
 */
export class TokenRegistry {
  readonly #store: KnownTokens;
  readonly #configured: ReadonlyMap<string, ApiToken>;
  #stored: ReadonlyMap<string, ApiToken> = new Map();
  readonly #listeners: (() => void)[] = [];
  #uses = new Map<string, number>();
  /** The number of reloads that have started. */
  #begun = 0;
  /** The number of the reload whose result is in memory. */
  #loaded = 0;

  /** @param options.configured - tokens of the configuration, in addition to the stored ones. */
  constructor(options: {
    store: KnownTokens;
    configured: readonly ApiToken[];
  }) {
    this.#store = options.store;
    this.#configured = byHash(options.configured);
  }

  /** Reloads all tokens, which revokes deleted ones. Of concurrent reloads, the last one started wins. */
  async reload(): Promise<void> {
    this.#begun += 1;
    const turn = this.#begun;
    const tokens = await this.#store.list();
    if (turn < this.#loaded) {
      return;
    }
    this.#loaded = turn;
    this.#stored = byHash(tokens);
    this.#listeners.forEach(listener => listener());
  }

  /** Registers a listener that runs after each reload. */
  onReload(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /** Finds a token in memory. */
  find(text: string): ApiToken | undefined {
    const hash = hashToken(text);
    return this.#configured.get(hash) ?? this.#stored.get(hash);
  }

  /** Records in memory that a token was used. */
  used({ hash }: Pick<ApiToken, 'hash'>, at: number): void {
    this.#uses.set(hash, at);
  }

  /** Stores which tokens were used since the last call that succeeded. */
  async noteUses(): Promise<void> {
    const uses = this.#uses;
    this.#uses = new Map();
    if (uses.size === 0) {
      return;
    }
    try {
      await this.#store.noteUses(uses, hash => this.#configured.has(hash));
    } catch (error) {
      // The next call stores them.
      this.#uses = new Map([...uses, ...this.#uses]);
      throw error;
    }
  }

  /** Checks whether a token, which may have changed since it was read, is valid at a time. */
  isValid({ hash }: Pick<ApiToken, 'hash'>, at: number): boolean {
    const token = this.#configured.get(hash) ?? this.#stored.get(hash);
    return (
      token !== undefined && (token.expiresAt === null || token.expiresAt > at)
    );
  }

  /** Finds the tokens among several strings, by string. */
  async findAll(texts: readonly string[]): Promise<Map<string, ApiToken>> {
    const hashes = new Map(texts.map(text => [hashToken(text), text]));
    const found = texts.flatMap(text => this.find(text) ?? []);
    const known = new Set(found.map(({ hash }) => hash));
    const others = await this.#store.findAll(
      [...hashes.keys()].filter(hash => !known.has(hash)),
    );
    return new Map(
      [...found, ...others].map(token => [hashes.get(token.hash)!, token]),
    );
  }

  /**
   * Finds a token that is not in memory.
   *
   * @throws Error if the database is down.
   */
  lookUp(text: string): Promise<ApiToken | undefined> {
    return this.#store.find(hashToken(text));
  }
}

function byHash(tokens: readonly ApiToken[]): Map<string, ApiToken> {
  return new Map(tokens.map(token => [token.hash, token]));
}
