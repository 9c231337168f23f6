import { Knex } from 'knex';

/** A one-time ticket that opens an IDE, or a session, which a browser keeps in a cookie. */
export type IdeGrantKind = 'ticket' | 'session';

/** A right to use the IDE of one workspace. Only its holder has the token; the store has a hash of it. */
export interface IdeGrant {
  /** SHA-256 of the token, in hexadecimal. */
  tokenHash: string;
  kind: IdeGrantKind;
  workspaceId: string;
  owner: string;
  /** ISO 8601, UTC. */
  expiresAt: string;
}

interface GrantRow {
  token_hash: string;
  kind: string;
  workspace_id: string;
  owner: string;
  expires_at: string;
}

function toGrant(row: GrantRow): IdeGrant {
  return {
    tokenHash: row.token_hash,
    kind: row.kind as IdeGrantKind,
    workspaceId: row.workspace_id,
    owner: row.owner,
    expiresAt: row.expires_at,
  };
}

/** Stores grants in the plugin's SQL database. The workspace store runs the migrations. */
export class IdeGrantStore {
  readonly #db: Knex;

  constructor(db: Knex) {
    this.#db = db;
  }

  async add(grant: IdeGrant): Promise<void> {
    await this.#grants().insert({
      token_hash: grant.tokenHash,
      kind: grant.kind,
      workspace_id: grant.workspaceId,
      owner: grant.owner,
      expires_at: grant.expiresAt,
    });
  }

  async find(kind: IdeGrantKind, tokenHash: string) {
    const row = await this.#grants()
      .where({ kind, token_hash: tokenHash })
      .first();
    return row && toGrant(row);
  }

  /** Removes a grant and returns it. Of two concurrent callers, exactly one gets it. */
  async take(kind: IdeGrantKind, tokenHash: string) {
    const grant = await this.find(kind, tokenHash);
    const removed = await this.#grants()
      .where({ kind, token_hash: tokenHash })
      .delete();
    return removed > 0 ? grant : undefined;
  }

  async removeByWorkspace(workspaceId: string): Promise<void> {
    await this.#grants().where({ workspace_id: workspaceId }).delete();
  }

  async removeByOwner(owner: string): Promise<void> {
    await this.#grants().where({ owner }).delete();
  }

  /** Removes the grants that expired before `now`, ISO 8601 in UTC. */
  async removeExpired(now: string): Promise<void> {
    await this.#grants().where('expires_at', '<', now).delete();
  }

  #grants() {
    return this.#db<GrantRow>('ide_grants');
  }
}
