import {
  type Authenticator,
  type CredentialCaller,
  UnauthenticatedError,
} from '@slipway/service-kit';
import { type ApiToken, hashToken, readToken } from '../model/ApiToken.ts';
import type { TokenStore } from '../storage/TokenStore.ts';

/** A caller who sends a token of this service. */
export interface TokenCaller extends CredentialCaller {
  readonly token: ApiToken;
}

/** A scheme before the token, which some SDKs send. */
const BEARER = /^bearer +/i;

/**
 * Authenticates callers by the token that is the whole `Authorization` header. Bearer tokens of
 * another format are left to other authenticators, e.g. those of users of the portal.
 */
export function tokenAuthenticator(
  tokens: TokenRegistry,
  now: () => number,
): Authenticator {
  const find = rememberHolders(tokens);
  const accept = (holder: Holder | undefined): Holder => {
    const token = holder?.caller.token;
    if (!token) {
      throw new UnauthenticatedError('The token is not valid');
    }
    const time = now();
    if (token.expiresAt !== null && token.expiresAt <= time) {
      throw new UnauthenticatedError('The token has expired');
    }
    tokens.used(token, time);
    return holder;
  };
  return {
    place: 'header:authorization',
    scheme: {
      name: 'apiToken',
      definition: { type: 'apiKey', in: 'header', name: 'Authorization' },
    },
    authenticate(request, addresses) {
      const { authorization } = request.headers;
      if (authorization === undefined) {
        return undefined;
      }
      const found = find(authorization);
      if (found) {
        return accept(found);
      }
      const text = authorization.replace(BEARER, '');
      if (!readToken(text)) {
        if (BEARER.test(authorization)) {
          return undefined;
        }
        throw new UnauthenticatedError('The token is not valid');
      }
      return addresses
        .assertLeft(request)
        .then(() => tokens.lookUp(text))
        .then(token => accept(token && holderOf(token)));
    },
  };
}

interface Holder {
  caller: TokenCaller;
  budget: string;
}

function holderOf(token: ApiToken): Holder {
  const { hash, name, type } = token;
  return {
    caller: { kind: 'bearer', id: name, scopes: [type], token },
    budget: `token:${hash}`,
  };
}

/** Maximum number of headers kept in memory. */
const MAX_HEADERS = 1_000;

/**
 * Finds the holder of a token in memory by the whole header. Headers of valid tokens are kept until
 * tokens are reloaded, because parsing and hashing them takes longer than all other checks; what is
 * stored are still only hashes. The table compares a header only with one of the same hash, whose
 * seed is random, so the time it takes tells nothing about parts of a token.
 */
function rememberHolders(
  tokens: TokenRegistry,
): (header: string) => Holder | undefined {
  const kept = new Map<string, Holder>();
  tokens.onReload(() => kept.clear());
  return header => {
    const known = kept.get(header);
    if (known) {
      return known;
    }
    const text = header.replace(BEARER, '');
    const token = readToken(text) && tokens.find(text);
    if (!token) {
      return undefined;
    }
    if (kept.size >= MAX_HEADERS) {
      kept.clear();
    }
    const holder = holderOf(token);
    kept.set(header, holder);
    return holder;
  };
}

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

  /** @param options.configured - tokens of the configuration, in addition to the stored ones. */
  constructor(options: {
    store: KnownTokens;
    configured: readonly ApiToken[];
  }) {
    this.#store = options.store;
    this.#configured = byHash(options.configured);
  }

  /** Reloads all tokens, which revokes deleted ones. */
  async reload(): Promise<void> {
    this.#stored = byHash(await this.#store.list());
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

  /** Checks whether a token still exists; it may have expired. */
  holds({ hash }: ApiToken): boolean {
    return this.#configured.has(hash) || this.#stored.has(hash);
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
