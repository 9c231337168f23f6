import type { Database, Transaction } from '@slipway/service-kit';
import type {
  Credential,
  KeyOwner,
  NewCredential,
  TokenScope,
} from '../Credential.ts';
import { BY_CONFIGURATION, readList } from './ProjectStore.ts';

/** A row of the table of credentials. */
interface CredentialRow {
  id: string;
  project_id: string;
  kind: Credential['kind'];
  name: string;
  scopes: string | null;
  hint: string;
  shown_key: string | null;
  expires_at: number | string | null;
  origin: Credential['origin'];
  created_at: number | string;
  created_by: string;
}

/** Stores keys and tokens in the service's database; of tokens, only the digest. */
export class CredentialStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Lists the valid credentials of a project, or of all projects, newest first. */
  async list(projectId?: string): Promise<Credential[]> {
    const rows: CredentialRow[] = await this.#database
      .knex('credentials')
      .where({
        revoked_at: null,
        ...(projectId !== undefined && { project_id: projectId }),
      })
      .orderBy([{ column: 'created_at', order: 'desc' }, 'id']);
    return rows.map(toCredential);
  }

  async add(credential: NewCredential): Promise<void> {
    await this.#database.transaction(trx =>
      trx('credentials').insert(toRow(credential)),
    );
  }

  /** Revokes a credential. @returns false if there is no such credential created in the portal. */
  async revoke(options: {
    projectId: string;
    id: string;
    now: number;
  }): Promise<boolean> {
    const { projectId, id, now } = options;
    return this.#database.transaction(trx =>
      revoke(trx, { projectId, id, now }),
    );
  }

  /**
   * Revokes a credential and adds the one that replaces it, or does neither.
   * @returns false if there is no such credential created in the portal.
   */
  async replace(id: string, by: NewCredential): Promise<boolean> {
    const { projectId, createdAt: now } = by;
    return this.#database.transaction(async trx => {
      const isRevoked = await revoke(trx, { projectId, id, now });
      if (isRevoked) {
        await trx('credentials').insert(toRow(by));
      }
      return isRevoked;
    });
  }

  /** Finds the project of an unrevoked credential by the SHA-256 of its secret. */
  async projectOf(
    sha256: string,
    kind: Credential['kind'],
  ): Promise<KeyOwner | undefined> {
    const row: {
      id: string;
      project_id: string;
      origins: string | null;
      scopes: string | null;
      expires_at: number | string | null;
    } = await this.#database
      .knex('credentials')
      .join('projects', 'projects.id', 'credentials.project_id')
      .where({ sha256, kind, revoked_at: null })
      .first(
        'credentials.id',
        'credentials.project_id',
        'credentials.scopes',
        'credentials.expires_at',
        'projects.origins',
      );
    return (
      row && {
        projectId: row.project_id,
        credentialId: row.id,
        origins: readList(row.origins),
        scopes: readList(row.scopes) as TokenScope[] | undefined,
        expiresAt: row.expires_at === null ? undefined : Number(row.expires_at),
      }
    );
  }

  /** Creates the configured credentials, and revokes those of earlier configurations. */
  async adopt(
    credentials: readonly NewCredential[],
    now: number,
  ): Promise<void> {
    await this.#database.transaction(async trx => {
      for (const credential of credentials) {
        await trx('credentials')
          .insert({ ...toRow(credential), revoked_at: null })
          .onConflict('sha256')
          .merge([
            'project_id',
            'kind',
            'name',
            'scopes',
            'hint',
            'shown_key',
            'origin',
            'revoked_at',
          ]);
      }
      await trx('credentials')
        .where({ origin: BY_CONFIGURATION, revoked_at: null })
        .whereNotIn(
          'sha256',
          credentials.map(({ sha256 }) => sha256),
        )
        .update({ revoked_at: now });
    });
  }
}

async function revoke(
  trx: Transaction,
  options: { projectId: string; id: string; now: number },
): Promise<boolean> {
  const { projectId, id, now } = options;
  const changed = await trx('credentials')
    .where({ id, project_id: projectId, origin: 'portal', revoked_at: null })
    .update({ revoked_at: now });
  return changed > 0;
}

/** Reads a credential from a row. */
function toCredential(row: CredentialRow): Credential {
  return {
    id: row.id,
    projectId: row.project_id,
    kind: row.kind,
    name: row.name,
    scopes: readList(row.scopes) as TokenScope[] | undefined,
    hint: row.hint,
    key: row.shown_key ?? undefined,
    expiresAt: row.expires_at === null ? undefined : Number(row.expires_at),
    origin: row.origin,
    createdAt: Number(row.created_at),
    createdBy: row.created_by,
  };
}

/** Converts a credential to a row. */
function toRow(credential: NewCredential): object {
  return {
    id: credential.id,
    project_id: credential.projectId,
    kind: credential.kind,
    name: credential.name,
    scopes: credential.scopes ? JSON.stringify(credential.scopes) : null,
    sha256: credential.sha256,
    hint: credential.hint,
    shown_key: credential.key ?? null,
    expires_at: credential.expiresAt ?? null,
    origin: credential.origin,
    created_at: credential.createdAt,
    created_by: credential.createdBy,
  };
}
