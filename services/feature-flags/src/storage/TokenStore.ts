import type { Database } from '@slipway/service-kit';
import type { Knex } from 'knex';
import type { ApiToken, TokenType } from '../model/ApiToken.ts';
import { writeHistory } from './History.ts';
import { raiseRevision } from './revisions.ts';

const CONFIGURED_USES = 'configured_token_uses';

interface TokenRow {
  id: string;
  name: string;
  type: string;
  projects: string;
  environment: string;
  hash: string;
  created_by: string;
  created_at: number | string;
  expires_at: number | string | null;
  last_used_at: number | string | null;
}

/** Stores created tokens as hashes, and when configured tokens were last used. */
export class TokenStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Lists all tokens, newest first. */
  async list(): Promise<ApiToken[]> {
    const rows = await this.#database
      .knex<TokenRow>('api_tokens')
      .orderBy('created_at', 'desc')
      .select();
    return rows.map(toToken);
  }

  async find(hash: string): Promise<ApiToken | undefined> {
    const row = await this.#database
      .knex<TokenRow>('api_tokens')
      .where({ hash })
      .first();
    return row && toToken(row);
  }

  /** Finds tokens by their hashes; unknown hashes are ignored. */
  async findAll(hashes: readonly string[]): Promise<ApiToken[]> {
    const rows = await this.#database
      .knex<TokenRow>('api_tokens')
      .whereIn('hash', [...hashes])
      .select();
    return rows.map(toToken);
  }

  async insert(token: ApiToken): Promise<void> {
    await this.#database.transaction(async trx => {
      await raiseRevision(trx, 'tokens');
      await insertToken(trx, token);
    });
  }

  /**
   * Stores the successor of a token, and lets the token expire at a given time.
   *
   * @param token - as it was read.
   * @returns false if the token has changed since, was deleted, or already has a successor.
   */
  async replace(
    { id, expiresAt }: ApiToken,
    { by: successor, endsAt }: { by: ApiToken; endsAt: number },
  ): Promise<boolean> {
    return this.#database.transaction(async trx => {
      await raiseRevision(trx, 'tokens');
      const replaced = await trx('api_tokens')
        .where({ id, expires_at: expiresAt, replaced_by: null })
        .update({ expires_at: endsAt, replaced_by: successor.id });
      if (replaced === 0) {
        return false;
      }
      await insertToken(trx, successor);
      return true;
    });
  }

  /**
   * Records when tokens were last used, unless another replica has recorded a later time.
   *
   * @param uses - times in milliseconds since the Unix epoch, by hash.
   * @param isConfigured - whether a hash is that of a configured token.
   */
  async noteUses(
    uses: ReadonlyMap<string, number>,
    isConfigured: (hash: string) => boolean,
  ): Promise<void> {
    await this.#database.transaction(async trx => {
      for (const [hash, at] of [...uses].sort()) {
        await (isConfigured(hash)
          ? trx(CONFIGURED_USES)
              .insert({ hash, last_used_at: at })
              .onConflict('hash')
              .merge()
              .where(`${CONFIGURED_USES}.last_used_at`, '<', at)
          : trx('api_tokens')
              .where({ hash })
              .where(query =>
                query
                  .whereNull('last_used_at')
                  .orWhere('last_used_at', '<', at),
              )
              .update({ last_used_at: at }));
      }
    });
  }

  /** Returns when configured tokens were last used, by hash. */
  async configuredUses(): Promise<Map<string, number>> {
    const rows: { hash: string; last_used_at: number | string }[] =
      await this.#database.knex(CONFIGURED_USES).select();
    return new Map(
      rows.map(({ hash, last_used_at }) => [hash, Number(last_used_at)]),
    );
  }

  /** Deletes a token. @returns the deleted token; undefined if it does not exist. */
  async remove(
    id: string,
    options: { by: string; now: number },
  ): Promise<ApiToken | undefined> {
    return this.#database.transaction(async trx => {
      const row = await trx<TokenRow>('api_tokens').where({ id }).first();
      // Only one of two concurrent deletions succeeds.
      if (!row || (await trx('api_tokens').where({ id }).delete()) === 0) {
        return undefined;
      }
      const token = toToken(row);
      await raiseRevision(trx, 'tokens');
      await writeHistory(trx, {
        type: 'api-token-deleted',
        subject: id,
        environment: token.environment,
        createdBy: options.by,
        createdAt: options.now,
        before: describe(token),
      });
      return token;
    });
  }
}

async function insertToken(
  trx: Knex.Transaction,
  token: ApiToken,
): Promise<void> {
  await trx('api_tokens').insert({
    id: token.id,
    name: token.name,
    type: token.type,
    projects: JSON.stringify(token.projects),
    environment: token.environment,
    hash: token.hash,
    created_by: token.createdBy,
    created_at: token.createdAt,
    expires_at: token.expiresAt,
  });
  await writeHistory(trx, {
    type: 'api-token-created',
    subject: token.id,
    environment: token.environment,
    createdBy: token.createdBy,
    createdAt: token.createdAt,
    after: describe(token),
  });
}

/** Returns the parts of a token that are recorded in the history. */
function describe({ name, type, projects, environment }: ApiToken): object {
  return { name, type, projects, environment };
}

function toToken(row: TokenRow): ApiToken {
  return {
    id: row.id,
    name: row.name,
    type: row.type as TokenType,
    projects: JSON.parse(row.projects),
    environment: row.environment,
    hash: row.hash,
    createdBy: row.created_by,
    createdAt: Number(row.created_at),
    expiresAt: row.expires_at === null ? null : Number(row.expires_at),
    lastUsedAt: row.last_used_at === null ? null : Number(row.last_used_at),
  };
}
