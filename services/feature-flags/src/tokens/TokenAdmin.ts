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
  /** Default: the environment of the service. */
  readonly environment?: string;
  /** Milliseconds since the Unix epoch; never when left out. */
  readonly expiresAt?: number;
}

interface TokenAdminOptions {
  tokens: TokenStore;
  configured: readonly ApiToken[];
  /** The environment of tokens that name none. */
  environment: string;
  isEnvironment: (name: string) => Promise<boolean>;
  now: () => number;
  /** Has this process follow what was written. */
  changed: () => Promise<void>;
}

/** Creates and revokes tokens. */
export class TokenAdmin {
  readonly #options: TokenAdminOptions;

  constructor(options: TokenAdminOptions) {
    this.#options = options;
  }

  /** Lists the tokens that people made, the newest first, then those of the configuration. */
  async list(): Promise<ApiToken[]> {
    return [
      ...(await this.#options.tokens.list()),
      ...this.#options.configured,
    ];
  }

  /**
   * @returns the token with its secret, which nobody can be told again.
   * @throws InvalidRequestError when there is no such environment, or the end has passed.
   */
  async create(
    wanted: NewToken,
    by: string,
  ): Promise<{ token: ApiToken; secret: string }> {
    const scope = await this.#scopeOf(wanted);
    const now = this.#options.now();
    const { expiresAt = null } = wanted;
    if (expiresAt !== null && expiresAt <= now) {
      throw new InvalidRequestError('expiresAt must be in the future', {
        field: 'expiresAt',
        constraint: 'minimum',
      });
    }
    const secret = generateToken(scope);
    const token: ApiToken = {
      id: randomUUID(),
      name: wanted.name,
      type: wanted.type,
      ...scope,
      hash: hashToken(secret),
      createdBy: by,
      createdAt: now,
      expiresAt,
    };
    await this.#options.tokens.insert(token);
    await this.#options.changed();
    return { token, secret };
  }

  /** @throws NotFoundError; tokens of the configuration are taken back there. */
  async remove(id: string, by: string): Promise<ApiToken> {
    const removed = await this.#options.tokens.remove(id, {
      by,
      now: this.#options.now(),
    });
    if (!removed) {
      throw new NotFoundError(`Token ${id} not found`);
    }
    await this.#options.changed();
    return removed;
  }

  async #scopeOf({ type, projects = ['*'], environment }: NewToken) {
    if (type === 'admin') {
      return { projects: ['*'], environment: '*' };
    }
    const { isEnvironment, environment: own } = this.#options;
    if (environment !== undefined && !(await isEnvironment(environment))) {
      throw new InvalidRequestError(
        `environment must be one that exists: there is no ${environment}`,
        { field: 'environment', constraint: 'enum' },
      );
    }
    return {
      projects: projects.includes('*') ? ['*'] : [...new Set(projects)].sort(),
      environment: environment ?? own,
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
): ApiToken[] {
  const faults: string[] = [];
  const read = tokens.flatMap(({ name, type, token }, index) => {
    const key = `featureFlags.tokens[${index}].token`;
    const scope = readToken(token);
    if (!scope || scope.project === '[]') {
      faults.push(`${key} must be of the form project:environment.secret`);
      return [];
    }
    if ((scope.environment === '*') !== (type === 'admin')) {
      faults.push(
        `${key} must be of ${
          type === 'admin' ? 'the environment *' : 'one environment'
        }`,
      );
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
        expiresAt: null,
      },
    ];
  });
  if (faults.length > 0) {
    throw new ConfigurationError(faults);
  }
  return read;
}
