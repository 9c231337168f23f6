import { randomUUID } from 'node:crypto';
import {
  ConfigurationError,
  ConflictError,
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

/** A token to create. */
export interface NewToken {
  readonly name: string;
  readonly type: TokenType;
  /** Ids of the projects whose flags a client can read; all by default. */
  readonly projects?: readonly string[];
  /** Default: the environment of the service. */
  readonly environment?: string;
  /** Milliseconds since the Unix epoch; by default it never expires. */
  readonly expiresAt?: number;
}

interface TokenAdminOptions {
  tokens: TokenStore;
  configured: readonly ApiToken[];
  /** The default environment of tokens. */
  environment: string;
  isEnvironment: (name: string) => Promise<boolean>;
  isProject: (id: string) => Promise<boolean>;
  now: () => number;
  /** Called after each commit; refreshes the state in memory. */
  onChanged: () => Promise<void>;
}

/** Creates and revokes tokens. */
export class TokenAdmin {
  readonly #options: TokenAdminOptions;

  constructor(options: TokenAdminOptions) {
    this.#options = options;
  }

  /** Lists created tokens, newest first, then configured ones. */
  async list(): Promise<ApiToken[]> {
    const { tokens, configured } = this.#options;
    const created = await tokens.list();
    const uses = await tokens.configuredUses();
    return [
      ...created,
      ...configured.map(token => ({
        ...token,
        lastUsedAt: uses.get(token.hash) ?? null,
      })),
    ];
  }

  /**
   * Creates a token.
   *
   * @returns the token with its secret, which cannot be read again.
   * @throws InvalidRequestError if the environment or a project does not exist, or the expiry has
   * passed.
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
      lastUsedAt: null,
    };
    await this.#options.tokens.insert(token);
    await this.#options.onChanged();
    return { token, secret };
  }

  /**
   * Creates a successor of a token, with a new secret and a lifetime that starts now. The old one
   * remains valid for `overlapMs`, so that applications can switch.
   *
   * @throws NotFoundError; configured tokens can only be changed in the configuration.
   * @throws ConflictError if it was rotated before, e.g. by a double click.
   */
  async rotate(
    id: string,
    { by, overlapMs }: { by: string; overlapMs: number },
  ): Promise<{ token: ApiToken; secret: string }> {
    const { tokens, now, onChanged } = this.#options;
    const before = (await tokens.list()).find(each => each.id === id);
    const time = now();
    if (!before || (before.expiresAt ?? Infinity) <= time) {
      throw new NotFoundError(`Token ${id} not found`);
    }
    const { expiresAt, createdAt } = before;
    const secret = generateToken(before);
    const token: ApiToken = {
      ...before,
      id: randomUUID(),
      hash: hashToken(secret),
      createdBy: by,
      createdAt: time,
      expiresAt: expiresAt === null ? null : time + expiresAt - createdAt,
      lastUsedAt: null,
    };
    const endsAt = Math.min(time + overlapMs, expiresAt ?? Infinity);
    if (!(await tokens.replace(before, { by: token, endsAt }))) {
      throw new ConflictError(
        `Token ${before.name} has already been rotated: rotate its successor`,
      );
    }
    await onChanged();
    return { token, secret };
  }

  /** Revokes a token. @throws NotFoundError; configured tokens can only be revoked in the configuration. */
  async remove(id: string, by: string): Promise<ApiToken> {
    const removed = await this.#options.tokens.remove(id, {
      by,
      now: this.#options.now(),
    });
    if (!removed) {
      throw new NotFoundError(`Token ${id} not found`);
    }
    await this.#options.onChanged();
    return removed;
  }

  async #scopeOf({ type, projects = ['*'], environment }: NewToken) {
    if (type === 'admin') {
      return { projects: ['*'], environment: '*' };
    }
    const { isEnvironment, environment: own } = this.#options;
    if (environment !== undefined && !(await isEnvironment(environment))) {
      throw new InvalidRequestError(
        `environment must be an existing environment: ${environment} does not exist`,
        { field: 'environment', constraint: 'enum' },
      );
    }
    for (const [index, id] of projects.entries()) {
      if (id !== '*' && !(await this.#options.isProject(id))) {
        throw new InvalidRequestError(
          `projects.${index} must be an existing project: ${id} does not exist`,
          { field: `projects.${index}`, constraint: 'enum' },
        );
      }
    }
    return {
      projects: projects.includes('*') ? ['*'] : [...new Set(projects)].sort(),
      environment: environment ?? own,
    };
  }
}

/**
 * Reads the configured tokens, e.g. the first admin's.
 *
 * @throws ConfigurationError naming each invalid one.
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
        lastUsedAt: null,
      },
    ];
  });
  if (faults.length > 0) {
    throw new ConfigurationError(faults);
  }
  return read;
}
