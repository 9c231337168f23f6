import { randomUUID } from 'node:crypto';
import {
  ConfigurationError,
  InvalidRequestError,
  NotFoundError,
} from '@slipway/service-kit';
import {
  type ApiToken,
  generateToken,
  hashToken,
  readToken,
  type TokenType,
} from '../model/ApiToken.ts';
import type { TokenStore } from '../storage/TokenStore.ts';
import type { ConfiguredToken } from '../config.ts';

/** A token that is to be created. */
export interface NewToken {
  readonly name: string;
  readonly type: TokenType;
  /** Projects whose flags a client sees; all when left out. */
  readonly projects?: readonly string[];
  /** The service's own when left out. */
  readonly environment?: string;
}

/** Creates and revokes tokens. */
export class TokenAdmin {
  readonly #tokens: TokenStore;
  readonly #configured: readonly ApiToken[];
  readonly #environment: string;
  readonly #now: () => number;
  readonly #changed: () => Promise<void>;

  /** @param options.changed - has this process follow what was written. */
  constructor(options: {
    tokens: TokenStore;
    configured: readonly ApiToken[];
    environment: string;
    now: () => number;
    changed: () => Promise<void>;
  }) {
    this.#tokens = options.tokens;
    this.#configured = options.configured;
    this.#environment = options.environment;
    this.#now = options.now;
    this.#changed = options.changed;
  }

  /** Lists the tokens that people made, the newest first, then those of the configuration. */
  async list(): Promise<ApiToken[]> {
    return [...(await this.#tokens.list()), ...this.#configured];
  }

  /**
   * @returns the token with its secret, which nobody can be told again.
   * @throws InvalidRequestError when the environment is not one of this service.
   */
  async create(
    wanted: NewToken,
    by: string,
  ): Promise<{ token: ApiToken; secret: string }> {
    const scope = this.#scopeOf(wanted);
    const secret = generateToken(scope);
    const token: ApiToken = {
      id: randomUUID(),
      name: wanted.name,
      type: wanted.type,
      ...scope,
      hash: hashToken(secret),
      createdBy: by,
      createdAt: this.#now(),
    };
    await this.#tokens.insert(token);
    await this.#changed();
    return { token, secret };
  }

  /** @throws NotFoundError; tokens of the configuration are taken back there. */
  async remove(id: string, by: string): Promise<ApiToken> {
    const removed = await this.#tokens.remove(id, { by, now: this.#now() });
    if (!removed) {
      throw new NotFoundError(`There is no token ${id}`);
    }
    await this.#changed();
    return removed;
  }

  #scopeOf({ type, projects = ['*'], environment }: NewToken) {
    if (type === 'admin') {
      return { projects: ['*'], environment: '*' };
    }
    if (environment !== undefined && environment !== this.#environment) {
      throw new InvalidRequestError(
        `environment must be ${this.#environment}, the one of this service`,
        { field: 'environment', constraint: 'enum' },
      );
    }
    return {
      projects: projects.includes('*') ? ['*'] : [...new Set(projects)].sort(),
      environment: this.#environment,
    };
  }
}

/**
 * Tokens of the configuration, e.g. the first admin's.
 *
 * @throws ConfigurationError naming each that does not do.
 */
export function configuredTokens(
  tokens: readonly ConfiguredToken[],
  options: { environment: string },
): ApiToken[] {
  const faults: string[] = [];
  const read = tokens.flatMap(({ name, type, token }, index) => {
    const key = `featureFlags.tokens[${index}].token`;
    const scope = readToken(token);
    if (!scope || scope.project === '[]') {
      faults.push(`${key} must be of the form project:environment.secret`);
      return [];
    }
    const due = type === 'admin' ? '*' : options.environment;
    if (scope.environment !== due) {
      faults.push(`${key} must be of the environment ${due}`);
    }
    const hash = hashToken(token);
    return [
      {
        id: `configured-${index}`,
        name,
        type,
        projects: [scope.project],
        environment: scope.environment,
        hash,
        createdBy: 'configuration',
        createdAt: 0,
      },
    ];
  });
  if (faults.length > 0) {
    throw new ConfigurationError(faults);
  }
  return read;
}
